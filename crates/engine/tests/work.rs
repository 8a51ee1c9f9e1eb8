//! What comes while a worker is at it is done by that worker.

#![expect(clippy::disallowed_methods, reason = "a test sets up files of its own")]

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    thread,
    time::{Duration, Instant},
};

use pacenote_engine::{Clock, Data, work};
use pacenote_model::{
    HostId, HostName, Record, SessionStatus, StartSource, Want, Wish, record::Origin,
};
use pacenote_store::{Access, Store as _, open};

/// How long a worker may take to begin on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn what_comes_while_a_worker_is_at_it_is_done_by_that_worker() {
    let root = tempfile::tempdir().expect("a directory");
    let data = Data::new(root.path().join("data"));
    let (called, let_go) = (root.path().join("called"), root.path().join("let-go"));
    let shop = root.path().join("shop");
    for directory in ["bin", "shop/.git/objects", "shop/.git/refs"] {
        fs::create_dir_all(root.path().join(directory)).expect("a directory");
    }
    fs::write(shop.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a HEAD");
    let git = root.path().join("bin/git");
    let wait = format!(
        "#!/bin/sh\ntouch '{}'\nwhile [ ! -e '{}' ]; do sleep 0.02; done\n",
        called.display(),
        let_go.display()
    );
    fs::write(&git, wait).expect("a program");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("a program");
    let search = format!("{}/bin:/usr/bin:/bin", root.path().display());
    let variables = [("PATH".to_owned(), search)].into();

    let (host, host_id) =
        (HostName::parse("claude").expect("a host"), HostId::parse("s-1").expect("an id"));
    let from = Origin {
        at: Clock::System.now(),
        host: host.clone(),
        host_id: host_id.clone(),
        place: shop.display().to_string(),
        name: "shop".into(),
    };
    let note = |record: &Record| {
        let log = data.logs().log_for("claude", "s-1").expect("a log");
        let line = serde_json::to_string(record).expect("JSON");
        log.append(&line, Clock::System.fresh().as_u128()).expect("a line");
    };
    let wish = || Record::Wished {
        from: from.clone(),
        wish: Wish {
            id: Clock::System.fresh(),
            host: host.clone(),
            host_id: host_id.clone(),
            directory: shop.display().to_string(),
            want: Want::Handoff,
        },
    };
    note(&Record::SessionStart {
        at: from.at,
        host: host.clone(),
        host_id: host_id.clone(),
        source: StartSource::Startup,
        place: from.place.clone(),
        name: from.name.clone(),
        transcript: None,
        agent: None,
        parent: None,
    });
    note(&wish());
    let status = || {
        let store = open(&data.store(), Access::Read).expect("a store");
        let session = store.session(&host, &host_id).expect("the store");
        session.expect("a session").status
    };
    let report = thread::scope(|scope| {
        let worker = scope.spawn(|| work::once(&data, &variables, Clock::System));
        let began = Instant::now();
        while !called.exists() {
            assert!(began.elapsed() < PATIENCE, "the worker never asked git");
            thread::sleep(Duration::from_millis(5));
        }
        note(&wish());
        note(&Record::Marked { from: from.clone(), status: SessionStatus::Completed });
        assert_eq!(work::once(&data, &variables, Clock::System).expect("an answer"), None);
        // The next session counts on this one being over, however slow git is.
        assert_eq!(status(), SessionStatus::Completed);
        fs::write(&let_go, "").expect("a file");
        worker.join().expect("a thread").expect("an answer").expect("a report")
    });
    assert_eq!((report.granted, report.left), (2, 0), "{report:?}");
}
