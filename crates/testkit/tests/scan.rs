//! The scanner of skills on skills of our own, whose names say what they are.

use std::path::Path;

use pacenote_skill::scan::{Family, Severity};
use pacenote_testkit::scan::{Measurement, Truth};

fn own_skills() -> Measurement {
    Measurement::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/scan"))
}

#[test]
fn every_attack_is_found_and_no_honest_skill_is_stopped() {
    let measured = own_skills();
    assert!(measured.skills(Truth::Malicious) >= 20 && measured.skills(Truth::Benign) >= 12);
    assert_eq!(measured.skills(Truth::Unknown), 0);
    assert_eq!(measured.missed(), [""; 0], "attacks that pass\n{measured}");
    assert_eq!(measured.alarmed(), [""; 0], "honest skills that are stopped\n{}", measured.list());
}

#[test]
fn every_family_has_an_attack_of_its_own() {
    let measured = own_skills();
    for family in Family::ALL {
        assert!(measured.of_family(Truth::Malicious, family, Severity::High) > 0, "{family:?}");
    }
}
