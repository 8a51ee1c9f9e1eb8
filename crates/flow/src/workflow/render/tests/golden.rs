//! Holds every block and the usual pages to the files in `tests/golden`.

use super::{
    super::{super::*, Form, blocks, element::Node, markup, pieces_as_text, render},
    examples, views,
};

#[test]
fn every_block_reads_as_in_its_golden_file() {
    for (name, piece) in examples::by_name() {
        let pieces = [piece];
        let elements: Vec<_> = blocks::nodes(&pieces)
            .into_iter()
            .map(|node| match node {
                Node::Element(element) => element,
                Node::Lines(lines) => panic!("`{name}` is no block: {lines:?}"),
            })
            .collect();
        assert_golden(&format!("{name}.xml"), &markup::print(&elements));
        assert_golden(&format!("{name}.txt"), &pieces_as_text(&pieces));
    }
}

#[test]
fn every_page_reads_as_in_its_golden_file() {
    for (name, view) in views::pages() {
        assert_golden(&format!("page_{name}.xml"), &render(&view, Form::Xml));
        assert_golden(&format!("page_{name}.txt"), &render(&view, Form::Text));
    }
}

#[test]
fn a_fresh_review_hears_nothing_of_earlier_rounds() {
    let banner = Piece::StateBanner {
        checkpoint: "plan review".to_owned(),
        iteration: 3,
        mode: BannerMode::FreshReview,
    };
    let told = pieces_as_text(&[banner]).to_lowercase();
    for word in ["earlier", "previous", "again", "found", "finding", "last time", "issue"] {
        assert!(!told.contains(word), "`{word}` in {told}");
    }
}

#[test]
fn the_form_of_an_answer_is_no_verdict() {
    let told = pieces_as_text(&[Piece::Dispatch(views::reviewer())]);
    let form = told.lines().skip_while(|line| !line.contains("FINAL ANSWER"));
    let form = form.collect::<Vec<_>>().join("\n");
    assert!(form.contains("RESULT: "), "{told}");
    assert!(ReviewReport::parse(&form).is_err(), "{form}");
}

#[expect(clippy::disallowed_methods, reason = "a test looks at the files of its own crate")]
fn assert_golden(name: &str, fresh: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == fresh,
        "`tests/golden/{name}` is out of date; `UPDATE_ASSETS=1 cargo test -p pacenote-flow` \
         renews it\n{fresh}"
    );
}
