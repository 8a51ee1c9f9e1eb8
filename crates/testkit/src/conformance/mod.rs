//! What every engine behind [`Store`] must do, whatever it is made of.
//!
//! A new engine passes when `store(&mut || …)` returns. Each case gets an empty store of its own
//! and says what it proves in its name.

mod commits;
mod facts;
mod mail;
mod receipts;
mod runs;
mod sessions;
mod skills;
mod tasks;

use pacenote_store::Store;

use crate::scene::Scene;

type Case = (&'static str, fn(Scene));

/// Runs the whole suite; `open` returns an empty store each time it is called.
pub fn store(open: &mut dyn FnMut() -> Box<dyn Store>) {
    let cases = [
        commits::CASES,
        tasks::CASES,
        mail::CASES,
        sessions::CASES,
        skills::CASES,
        receipts::CASES,
        facts::CASES,
        runs::CASES,
    ]
    .concat();
    for (name, case) in cases {
        println!("conformance: {name}");
        case(Scene::new(open()));
    }
}
