//! What a worker does for the sessions that wished for it.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test sets up files of its own, and its helpers fail like tests"
)]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use pacenote_engine::{
    Clock, Data,
    situation::{Person, SettingsSource},
    work,
};
use pacenote_files::config::Settings;
use pacenote_model::{
    Handoff, HostId, HostName, Record, Session, SessionStatus, StartSource, Want, Wish,
    record::Origin,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::{Access, SkillList, SkillQuery, Store as _, open};
use tempfile::TempDir;

/// How long a worker may take to begin on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A project with a git of ours, and a session in it.
struct Shop {
    _directory: TempDir,
    root: PathBuf,
    data: Data,
    variables: BTreeMap<String, String>,
    from: Origin,
}

impl Shop {
    /// Opens a shop with a program in the place of git.
    fn with_git(script: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a path");
        fs::create_dir(root.join("bin")).expect("a directory");
        let git = root.join("bin/git");
        fs::write(&git, format!("#!/bin/sh\ncd '{}'\n{script}\n", root.display()))
            .expect("a program");
        fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("a program");
        let search = format!("{}/bin:/usr/bin:/bin", root.display());
        let from = Origin {
            at: Clock::System.now(),
            host: HostName::parse("claude").expect("a host"),
            host_id: HostId::parse("s-1").expect("an id"),
            place: root.join("shop/.git").display().to_string(),
            name: "shop".into(),
        };
        let shop = Self {
            data: Data::new(root.join("data")),
            variables: [("PATH".to_owned(), search)].into(),
            _directory: directory,
            root,
            from,
        };
        shop.make_repository("shop");
        shop.note(&Record::SessionStart {
            at: shop.from.at,
            host: shop.from.host.clone(),
            host_id: shop.from.host_id.clone(),
            source: StartSource::Startup,
            place: shop.from.place.clone(),
            name: shop.from.name.clone(),
            transcript: None,
            agent: None,
            parent: None,
        });
        shop
    }

    fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    fn make_repository(&self, name: &str) {
        for part in [".git/objects", ".git/refs", ".pacenote"] {
            fs::create_dir_all(self.path(name).join(part)).expect("a directory");
        }
        fs::write(self.path(name).join(".git/HEAD"), "ref: refs/heads/main\n").expect("a HEAD");
    }

    fn note(&self, record: &Record) {
        let log = self.data.logs().log_for("claude", "s-1").expect("a log");
        let line = serde_json::to_string(record).expect("JSON");
        log.append(&line, Clock::System.fresh().as_u128()).expect("a line");
    }

    /// Leaves something behind, and wishes that the worker completes it.
    fn wish(&self) {
        let handoff = Box::new(Handoff { branch: Some("main".into()), ..Handoff::default() });
        self.note(&Record::Drafted { from: self.from.clone(), handoff });
        self.want(Want::Handoff);
    }

    fn want(&self, want: Want) {
        let wish = Wish {
            id: Clock::System.fresh(),
            host: self.from.host.clone(),
            host_id: self.from.host_id.clone(),
            directory: self.path("shop").display().to_string(),
            want,
        };
        self.note(&Record::Wished { from: self.from.clone(), wish });
    }

    fn work(&self) -> Option<work::Report> {
        let settings = Settings::built_in();
        let person = Person {
            home: Some(self.path("home")),
            rules: Some(self.path("lifecycle.yaml")),
            variable: &|_| None,
            settings: SettingsSource::Known(&settings),
        };
        work::once(&self.data, &self.variables, &person, Clock::System).expect("an answer")
    }

    fn session(&self) -> Session {
        let store = open(&self.data.store(), Access::Read).expect("a store");
        let session = store.session(&self.from.host, &self.from.host_id).expect("the store");
        session.expect("a session")
    }

    fn handoff(&self) -> Option<Handoff> {
        let session = self.session();
        let store = open(&self.data.store(), Access::Read).expect("a store");
        let kept = store.handoff(session.project, session.id).expect("the store");
        kept.map(|kept| kept.handoff)
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[test]
fn what_comes_while_a_worker_is_at_it_is_done_by_that_worker() {
    let shop = Shop::with_git("touch called\nwhile [ ! -e let-go ]; do sleep 0.02; done");
    shop.wish();
    let report = thread::scope(|scope| {
        let worker = scope.spawn(|| shop.work());
        let began = Instant::now();
        while !exists(&shop.path("called")) {
            assert!(began.elapsed() < PATIENCE, "the worker never asked git");
            thread::sleep(Duration::from_millis(5));
        }
        shop.wish();
        shop.note(&Record::Marked { from: shop.from.clone(), status: SessionStatus::Completed });
        assert_eq!(shop.work(), None);
        // The next session counts on this one being over, however slow git is.
        assert_eq!(shop.session().status, SessionStatus::Completed);
        fs::write(shop.path("let-go"), "").expect("a file");
        worker.join().expect("a thread").expect("a report")
    });
    assert_eq!((report.granted, report.left), (2, 0), "{report:?}");
}

#[test]
fn a_wish_of_one_project_is_not_granted_in_another() {
    let shop = Shop::with_git("echo called >> calls");
    shop.make_repository("mine");
    shop.wish();
    fs::rename(shop.path("shop"), shop.path("moved")).expect("another name");
    symlink(shop.path("mine"), shop.path("shop")).expect("a link");
    let report = shop.work().expect("a report");
    assert_eq!((report.granted, report.left), (0, 0));
    let directory = shop.path("shop");
    let expected = format!("`{}` is not part of the project `shop` any more", directory.display());
    assert_eq!(report.troubles, [expected]);
    assert!(!exists(&shop.path("calls")), "git was asked about the other project");
    assert!(!exists(&shop.path("mine/.pacenote/handoff-1.md")), "the other project got a file");
    assert_eq!(shop.handoff().and_then(|handoff| handoff.branch).as_deref(), Some("main"));
    assert_eq!(shop.work().expect("a report").troubles, [""; 0], "the wish is settled");
}

#[test]
fn a_git_that_does_not_answer_costs_only_what_it_would_have_said() {
    // It says which commit is checked out, and nothing more.
    let shop = Shop::with_git(
        "echo called >> calls
        case \"$*\" in
            *rev-parse*) echo 1a2b3c4 ;;
            *rev-list*) exec sleep 600 ;;
        esac",
    );
    shop.wish();
    shop.wish();
    let report = shop.work().expect("a report");
    assert_eq!((report.granted, report.left), (2, 0));
    let directory = shop.path("shop");
    let expected = format!(
        "git did not answer in time in `{}`: the handoff of session #1 lacks what it would have said",
        directory.display()
    );
    assert_eq!(report.troubles, [expected]);
    assert_eq!(shop.handoff().and_then(|handoff| handoff.commit).as_deref(), Some("1a2b3c4"));
    let calls = fs::read_to_string(shop.path("calls")).expect("calls");
    assert_eq!(calls.lines().count(), 3, "settings, commit, log, and then never again");
}

#[test]
fn a_rule_runs_what_its_file_says_and_no_line_of_a_log_says_what() {
    let shop = Shop::with_git("exit 0");
    let (ran, forged) = (shop.path("ran"), shop.path("forged"));
    let rules = format!(
        "on_stop:\n  - name: tell\n    action: run\n    argv: [touch, '{}']\n",
        ran.display()
    );
    fs::write(shop.path("lifecycle.yaml"), rules).expect("rules");
    let program = |argv: &[&str]| Some(digest_of(argv.join("\0").as_bytes()));
    let argv = ["touch", ran.to_str().expect("a path")];
    shop.want(Want::Run { rule: "tell".into(), program: program(&argv) });
    // A rule that took its place, and a line that names nothing.
    shop.want(Want::Run { rule: "tell".into(), program: program(&["rm", "-r"]) });
    shop.want(Want::Run { rule: "tell".into(), program: None });
    // As earlier versions wrote it, and as an agent could.
    let log = shop.data.logs().log_for("claude", "s-1").expect("a log");
    let wished = Record::Wished {
        from: shop.from.clone(),
        wish: Wish {
            id: Clock::System.fresh(),
            host: shop.from.host.clone(),
            host_id: shop.from.host_id.clone(),
            directory: shop.path("shop").display().to_string(),
            want: Want::Run { rule: "unknown".into(), program: None },
        },
    };
    let mut line = serde_json::to_value(&wished).expect("JSON");
    line["wish"]["argv"] = serde_json::json!(["touch", forged]);
    log.append(&line.to_string(), Clock::System.fresh().as_u128()).expect("a line");
    let report = shop.work().expect("a report");
    assert!(exists(&ran) && !exists(&forged), "{report:?}");
    assert_eq!((report.granted, report.left), (1, 0));
    let said = |rule: &str| format!("rule `{rule}`: it does not run any more what it ran then");
    assert_eq!(report.troubles, [said("tell"), said("tell"), said("unknown")]);
}

#[test]
fn claims_behind_a_link_are_nobodys_to_forget() {
    let shop = Shop::with_git("exit 0");
    let elsewhere = shop.path("elsewhere");
    fs::create_dir(&elsewhere).expect("a directory");
    let old = r#"{"at":0,"host":"claude","host_id":"s-9"}"#;
    fs::write(elsewhere.join("handoff-x.jsonl"), format!("{old}\n")).expect("a file");
    symlink(&elsewhere, shop.data.directory().join("claims")).expect("a link");
    shop.work();
    assert!(exists(&elsewhere.join("handoff-x.jsonl")), "it is not ours");
    // In our own directory such a claim is forgotten.
    fs::remove_file(shop.data.directory().join("claims")).expect("a link");
    fs::rename(&elsewhere, shop.data.directory().join("claims")).expect("a directory");
    shop.work();
    assert!(!exists(&shop.data.directory().join("claims/handoff-x.jsonl")));
}

#[test]
fn skills_can_be_suggested_where_somebody_worked() {
    let shop = Shop::with_git("exit 0");
    let root = shop.path("home/.claude/skills");
    fs::create_dir_all(root.join("ledger")).expect("a directory");
    let skill = "---\nname: ledger\ndescription: Reconciles ledgers\n---\n# L\n\nCount twice.\n";
    fs::write(root.join("ledger/SKILL.md"), skill).expect("a skill");
    let found = |list: SkillList, roots: &[String], word: &str| {
        let store = open(&shop.data.store(), Access::Read).expect("a store");
        let words = [word.to_owned()];
        let query = SkillQuery { list, roots, words: &words, pairs: &[], limit: 9 };
        store.search_skills(&query).expect("the lists").found.len()
    };
    shop.wish();
    shop.work().expect("a report");
    let own = [root.display().to_string()];
    assert_eq!(found(SkillList::Words, &own, "ledgers"), 1);
    assert_eq!(found(SkillList::Bodies, &own, "twice"), 1);
    assert!(found(SkillList::Words, &["built in".to_owned()], "plan") > 0);
}
