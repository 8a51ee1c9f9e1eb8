//! Homes that are missing, disks that cannot be written, readers that go away.

use std::{process::Command, time::Duration};

use pacenote_fleet::{Ending, Launch, start};

use crate::{desk, transcript};

#[test]
fn without_a_home() {
    let mut desk = desk();
    desk.unset("HOME");
    transcript!(desk, ["task list", r#"task add "x""#, "doctor"], @r#"
    $ pacenote task list
    error: there is no place to keep data: `HOME` is not set

    hint: set `HOME`, `XDG_DATA_HOME` or `PACENOTE_HOME` to an absolute path
    [exit 3]
    $ pacenote task add "x"
    error: there is no place to keep data: `HOME` is not set

    hint: set `HOME`, `XDG_DATA_HOME` or `PACENOTE_HOME` to an absolute path
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    fail  data directory: there is no place to keep data: `HOME` is not set
          hint: set `HOME`, `XDG_DATA_HOME` or `PACENOTE_HOME` to an absolute path
    [exit 1]
    "#);
    let elsewhere = desk.root().join("elsewhere").display().to_string();
    desk.set("PACENOTE_HOME", &elsewhere);
    transcript!(desk, [r#"task add "x""#, "task list"], @r#"
    $ pacenote task add "x"
    added t-1 #1 (open) x
    $ pacenote task list
    t-1  #1  open  x
    "#);
}

#[test]
fn a_worker_without_data_has_nothing_to_do() {
    let desk = desk();
    transcript!(desk, ["work --once", "work --once --json"], @r#"
    $ pacenote work --once
    nothing to do: there is no data yet
    $ pacenote work --once --json
    {
      "busy": false,
      "report": null
    }
    "#);
    assert!(!desk.data().exists());
}

#[test]
fn a_file_where_the_directory_should_be() {
    let mut desk = desk();
    desk.write("blocked", "a file");
    let blocked = desk.root().join("shop/blocked/data").display().to_string();
    desk.set("PACENOTE_HOME", &blocked);
    transcript!(desk, [r#"task add "x""#, "task list", "doctor"], @r#"
    $ pacenote task add "x"
    error: cannot create the directory `/desk/shop/blocked/data`
      because Not a directory (os error 20)

    hint: set `PACENOTE_HOME` to a directory that can be written
    [exit 3]
    $ pacenote task list
    error: the store at `/desk/shop/blocked/data/pacenote.db` cannot be used: unable to open database file: /desk/shop/blocked/data/pacenote.db

    hint: set `PACENOTE_HOME` to a directory that can be written
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    fail  data directory: `/desk/shop/blocked/data` cannot be written
          hint: set `PACENOTE_HOME` to a directory that can be written
    fail  store: the store at `/desk/shop/blocked/data/pacenote.db` cannot be used: unable to open database file: /desk/shop/blocked/data/pacenote.db
          hint: set `PACENOTE_HOME` to a directory that can be written
    fail  session logs: cannot list `/desk/shop/blocked/data/sessions`
          hint: make the directory readable
    fail  project: the store at `/desk/shop/blocked/data/pacenote.db` cannot be used: unable to open database file: /desk/shop/blocked/data/pacenote.db
          hint: set `PACENOTE_HOME` to a directory that can be written
    [exit 1]
    "#);
}

/// Runs commands in a mount namespace of their own, where `home` is prepared by `mount`.
///
/// Root ignores file modes, so only a mount shows what a user meets.
fn in_a_namespace(script: &str) -> Option<(Ending, String)> {
    let launch = Launch::new("unshare", "/")
        .arguments(["--mount", "--map-root-user", "sh", "-c", script])
        .variable("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let finished = start(&launch, Duration::from_mins(1)).ok()?;
    let said = format!("{}{}", finished.output.text(), finished.errors.text());
    (!said.contains("unshare failed") && !said.contains("Operation not permitted"))
        .then_some((finished.ending, said))
}

#[test]
fn a_read_only_disk() {
    let desk = desk();
    desk.run(r#"task add "Before""#);
    let (binary, root) = (env!("CARGO_BIN_EXE_pacenote"), desk.root().display());
    let script = format!(
        "mount --bind {root}/home {root}/home && mount -o remount,bind,ro {root}/home && cd {root}/shop && \
         export HOME={root}/home PACENOTE_AGENT=backend; \
         {binary} task add After; echo \"exit $?\"; {binary} task list; echo \"exit $?\"; \
         echo '{{\"session_id\":\"s\",\"cwd\":\"{root}/shop\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}}' \
         | {binary} hook claude session-start; echo \" exit $?\""
    );
    let Some((_, said)) = in_a_namespace(&script) else {
        println!("skipped: this machine gives no mount namespaces");
        return;
    };
    insta::assert_snapshot!(desk.tidy(&said), @r#"
    exit 3
    t-1  #1  open  Before
    exit 0
    {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<pacenote project=\"shop\">\n<identity trust=\"system\">You are @backend in project shop on branch main, session s-s.</identity>\n<tasks trust=\"agent\">\n- [ ] t-1 Before\n</tasks>\n<guide trust=\"system\">If texts here disagree: the user first, then system, project, agent, foreign. Find skills: `pacenote skill search WORDS`.</guide>\n<position trust=\"agent\">Nothing is in progress; next is t-1.</position>\n<next trust=\"system\">If you are asked to go on: `pacenote task claim t-1`.</next>\n</pacenote>"}} exit 0
    error: cannot open `/desk/home/.local/share/pacenote/pacenote.restore.lock`
      because Read-only file system (os error 30)

    hint: set `PACENOTE_HOME` to a directory that can be written
    "#);
}

#[test]
fn a_full_disk() {
    let desk = desk();
    let (binary, root) = (env!("CARGO_BIN_EXE_pacenote"), desk.root().display());
    let script = format!(
        "mount -t tmpfs -o size=2m none {root}/home && cd {root}/shop && \
         export HOME={root}/home PACENOTE_AGENT=backend; \
         {binary} task add Fits >/dev/null; echo \"exit $?\"; \
         head -c 4000000 /dev/zero > {root}/home/filler 2>/dev/null; \
         {binary} task add Full; echo \"exit $?\"; {binary} task list | grep -c Fits; \
         start() {{ echo '{{\"session_id\":\"s\",\"cwd\":\"{root}/shop\",\"hook_event_name\":\"SessionStart\",\"source\":\"compact\"}}' \
         | {binary} hook claude session-start | grep -o 'Nothing is in progress.*Fits' | cut -c 1-25; }}; \
         start; echo \"told $?\"; {binary} doctor | grep -A1 fail; \
         rm {root}/home/filler; {binary} task add Again >/dev/null; echo \"exit $?\"; {binary} store check; \
         start; {binary} replay '#1' 2>/dev/null | grep -c '<pacenote'"
    );
    let Some((_, said)) = in_a_namespace(&script) else {
        println!("skipped: this machine gives no mount namespaces");
        return;
    };
    insta::assert_snapshot!(desk.tidy(&said), @"
    exit 0
    exit 3
    1
    told 0
    fail  data directory: no space left for `/desk/home/.local/share/pacenote`
          hint: free some space: until then nothing is written down, what is told included
    exit 0
    the store is sound
    1
    error: no space left for the store at `/desk/home/.local/share/pacenote/pacenote.db`

    hint: free some space, or set `PACENOTE_HOME` to another disk
    ");
}

#[test]
fn a_full_disk_is_read_with_what_was_written_last() {
    let desk = desk();
    desk.run(r#"task add "Before""#);
    // As long as another process has the store open, the last rows stay in the write-ahead log.
    let place = pacenote_store::Place::new(desk.data());
    let open = pacenote_store::open(&place, pacenote_store::Access::Write).expect("a store");
    desk.run(r#"task add "Last""#);
    let kept = desk.root().join("kept");
    std::fs::create_dir(&kept).expect("a directory");
    for name in ["pacenote.db", "pacenote.db-wal"] {
        std::fs::copy(desk.data().join(name), kept.join(name)).expect("a copy");
    }
    drop(open);
    let (binary, root) = (env!("CARGO_BIN_EXE_pacenote"), desk.root().display());
    let script = format!(
        "mount -t tmpfs -o size=2m none {root}/home && cd {root}/shop && \
         export HOME={root}/home PACENOTE_AGENT=backend; data={root}/home/.local/share/pacenote; \
         mkdir -p $data; cp {root}/kept/* $data; head -c 4000000 /dev/zero > {root}/home/filler 2>/dev/null; \
         {binary} task list; {binary} task show '#2' | head -1; {binary} brief | grep -c Last; \
         {binary} mail inbox; {binary} session list; {binary} store check; \
         {binary} task add Full; echo \"exit $?\"; {binary} task list | grep -c Last; \
         rm {root}/home/filler; {binary} task add Again; {binary} task list | grep -c ."
    );
    let Some((_, said)) = in_a_namespace(&script) else {
        println!("skipped: this machine gives no mount namespaces");
        return;
    };
    insta::assert_snapshot!(desk.tidy(&said), @"
    t-1  #1  open  Before
    t-2  #2  open  Last
    t-2 #2 Last
    1
    the store is sound
    exit 3
    1
    added t-3 #3 (open) Again
    3
    no mail
    no sessions here yet
    error: no space left for the store at `/desk/home/.local/share/pacenote/pacenote.db`

    hint: free some space, or set `PACENOTE_HOME` to another disk
    ");
}

#[test]
fn a_session_that_begins_on_a_full_disk_harms_no_other() {
    let desk = desk();
    let (binary, root) = (env!("CARGO_BIN_EXE_pacenote"), desk.root().display());
    // From no room at all to a few pages: of a longer beginning some fits, of a shorter one all.
    let script = format!(
        "mount -t tmpfs -o size=2m none {root}/home && cd {root}/shop && \
         export HOME={root}/home PACENOTE_AGENT=backend; \
         {binary} task add Fits >/dev/null; \
         start() {{ echo '{{\"session_id\":\"'$1'\",\"cwd\":\"{root}/shop\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}}' \
         | {binary} hook claude session-start | grep -c Fits; }}; \
         for pages in 0 1 2 3 4; do head -c 4000000 /dev/zero > {root}/home/filler 2>/dev/null; \
         truncate -s -$((pages * 4096)) {root}/home/filler; start early-$pages; rm {root}/home/filler; done; \
         start late; {binary} session list | grep -c late; {binary} session log list; \
         for pages in 0 1 2 3 4; do start early-$pages; done; {binary} session list | grep -c early; \
         {binary} session log list"
    );
    let Some((_, said)) = in_a_namespace(&script) else {
        println!("skipped: this machine gives no mount namespaces");
        return;
    };
    insta::assert_snapshot!(desk.tidy(&said), @"
    1
    1
    1
    1
    1
    1
    1
    1
    1
    1
    1
    1
    5
    no lines of session logs are set aside
    no lines of session logs are set aside
    ");
}

#[test]
fn a_reader_that_goes_away() {
    let desk = desk();
    for number in 0..50 {
        desk.run(&format!(r#"task add "Task number {number} with a long enough title""#));
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_pacenote"))
        .args(["task", "list", "--json"])
        .current_dir(desk.root().join("shop"))
        .env_clear()
        .env("HOME", desk.root().join("home"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("an end");
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), [].as_slice()));
}
