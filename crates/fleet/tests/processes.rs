//! Real processes behind the door: what they get, how they end, and that none of them wedges us.

use std::time::Duration;

use pacenote_fleet::{
    CAPTURE_CAP, Ending, Finished, Launch, LineError, Running, SendError, StartError, open, start,
};
use rustix::process::{Pid, Signal, kill_process};

/// Longer than any machine takes for what should happen at once; only failing tests wait for it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Short enough to wait for, in tests where the deadline is meant to pass.
const SOON: Duration = Duration::from_millis(200);

/// A long sleep in which a shell finds time for its traps; it ends even if nobody stops it.
const NAPS: &str = "nap=0; while [ $nap -lt 10000 ]; do nap=$((nap + 1)); sleep 0.05; done";

fn shell(script: &str) -> Launch {
    Launch::new("sh", "/").variable("PATH", "/usr/bin:/bin").arguments(["-c", script])
}

fn run(launch: &Launch) -> Finished {
    start(launch, PATIENCE).unwrap_or_else(|error| panic!("{error}"))
}

fn line(running: &mut Running) -> Option<String> {
    running.next_line(PATIENCE).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let finished = run(&Launch::new("/usr/bin/env", "/").variable("B", "2").variable("A", "1"));
    assert_eq!(finished.output.text(), "A=1\nB=2\n");
}

#[test]
fn arguments_arrive_as_they_are() {
    let launch = Launch::new("/usr/bin/printf", "/").arguments(["[%s]", "$HOME;", "* 'x'", ""]);
    assert_eq!(run(&launch).output.text(), "[$HOME;][* 'x'][]");
}

#[test]
fn the_directory_is_the_one_given() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let place = directory.path().canonicalize().expect("its real path");
    let finished = run(&Launch::new("/bin/pwd", &place).argument("-P"));
    assert_eq!(finished.output.text().trim_end(), place.to_str().expect("a readable path"));
}

#[test]
fn input_is_empty_unless_given_and_ends() {
    assert_eq!(run(&Launch::new("/bin/cat", "/")).output.text(), "");
    assert_eq!(run(&Launch::new("/bin/cat", "/").input("one\ntwo")).output.text(), "one\ntwo");
}

#[test]
fn the_ending_tells_exit_codes_from_signals() {
    let table = [
        ("exit 0", Ending::Exited(0)),
        ("exit 3", Ending::Exited(3)),
        ("kill -USR1 $$", Ending::Signalled(Signal::USR1.as_raw())),
    ];
    for (script, ending) in table {
        let finished = run(&shell(script));
        assert_eq!(finished.ending, ending, "{script}");
        assert_eq!(finished.succeeded(), ending == Ending::Exited(0));
        assert!(!finished.timed_out());
    }
}

#[test]
fn a_missing_program_is_named() {
    let launch = Launch::new("/no/such/program", "/");
    let error = start(&launch, PATIENCE).expect_err("there is no such program");
    assert_eq!(error.to_string(), "cannot start `/no/such/program`");
    assert!(matches!(error, StartError::Spawn { source, .. }
        if source.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn the_given_path_is_searched_and_ours_is_not() {
    let launch = Launch::new("sh", "/").variable("PATH", "/no/such/place");
    let error = start(&launch, PATIENCE).expect_err("there is no such program in the given path");
    assert_eq!(error.to_string(), "cannot start `sh`");
}

#[test]
fn at_the_deadline_the_whole_group_is_stopped() {
    let finished = start(&shell("sleep 1000 & wait"), SOON).expect("the shell starts");
    assert!(finished.timed_out());
    // The grandchild inherited the pipes: their end is seen only because it is dead, too.
    assert!(finished.output.ended && finished.errors.ended);
}

#[test]
fn a_process_may_tidy_up_at_the_deadline() {
    let script = format!("trap 'echo tidy; exit 0' TERM; echo ready; {NAPS}");
    let mut running = open(&shell(&script)).expect("the shell starts");
    assert_eq!(line(&mut running), Some("ready".to_owned()));
    let finished = running.finish(SOON);
    assert!(finished.timed_out());
    assert_eq!(finished.output.text(), "ready\ntidy\n");
}

#[test]
fn a_process_that_ignores_the_request_to_end_is_killed() {
    let script = format!("trap '' TERM; echo ready; {NAPS}");
    let mut running = open(&shell(&script)).expect("the shell starts");
    assert_eq!(line(&mut running), Some("ready".to_owned()));
    let finished = running.finish(SOON);
    assert!(finished.timed_out());
    assert!(finished.output.ended);
}

#[test]
fn a_child_left_behind_with_the_pipes_is_killed() {
    let finished = run(&shell("sleep 1000 & echo done"));
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.output.text(), "done\n");
    assert!(finished.output.ended);
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_left_the_group_with_the_pipes_does_not_hold_us() {
    let script = "exec 3<&0; setsid sh -c 'echo $$; exec sleep 1000' <&3 & head -n 1 <&3 >&2";
    let mut running = open(&shell(script)).expect("the shell starts");
    let escaped = line(&mut running).and_then(|number| number.parse().ok()).and_then(Pid::from_raw);
    assert_eq!(running.send_line("go"), Ok(()));
    assert_eq!(running.send_line(&"x".repeat(1024 * 1024)), Ok(()));
    let finished = running.finish(PATIENCE);
    kill_process(escaped.expect("its number"), Signal::KILL).expect("it is still there");
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.errors.text(), "go\n");
    assert!(!finished.output.ended);
}

#[test]
fn ten_megabytes_of_output_are_capped_and_counted() {
    let all = 10 * 1024 * 1024;
    let finished = run(&shell(&format!("head -c {all} /dev/zero; head -c {all} /dev/zero >&2")));
    assert_eq!(finished.ending, Ending::Exited(0));
    for captured in [&finished.output, &finished.errors] {
        assert_eq!(captured.bytes.len(), CAPTURE_CAP);
        assert_eq!(captured.dropped, (all - CAPTURE_CAP) as u64);
        assert!(captured.ended);
    }
}

#[test]
fn a_process_that_never_reads_its_input_ends_all_the_same() {
    let megabyte = "x".repeat(1024 * 1024);
    let finished = run(&shell("exit 7").input(megabyte.clone()));
    assert_eq!(finished.ending, Ending::Exited(7));
    let finished = start(&shell("sleep 1000").input(megabyte), SOON).expect("the shell starts");
    assert!(finished.timed_out());
}

#[test]
fn a_megabyte_of_input_comes_back_while_it_is_still_being_sent() {
    let megabyte = "x".repeat(1024 * 1024);
    let finished = run(&Launch::new("/bin/cat", "/").input(megabyte.clone()));
    assert_eq!(finished.output.text(), megabyte);
}

#[test]
fn a_conversation_by_lines() {
    let mut running = open(&Launch::new("/bin/cat", "/").input("first\n")).expect("cat starts");
    assert_eq!(line(&mut running), Some("first".to_owned()));
    assert_eq!(running.next_line(SOON), Err(LineError::Late { waited: SOON }));
    assert_eq!(running.send_line("second"), Ok(()));
    assert_eq!(line(&mut running), Some("second".to_owned()));
    assert_eq!(running.send_line("two\nlines"), Err(SendError::ManyLines));
    assert_eq!(running.send_line("last"), Ok(()));
    running.close_stdin();
    assert_eq!(running.send_line("too late"), Err(SendError::Closed));
    assert_eq!(line(&mut running), Some("last".to_owned()));
    assert_eq!(line(&mut running), None);
    let finished = running.finish(PATIENCE);
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.output.text(), "first\nsecond\nlast\n");
}

#[test]
fn a_process_that_does_not_read_its_lines_is_noticed() {
    let mut running = open(&shell("echo ready; sleep 1000")).expect("the shell starts");
    assert_eq!(line(&mut running), Some("ready".to_owned()));
    let long = "x".repeat(256 * 1024);
    let refused = (0..1000).find_map(|_| running.send_line(&long).err());
    assert_eq!(refused, Some(SendError::Backlog));
}

#[test]
fn lines_nobody_takes_do_not_hold_the_end() {
    let running = open(&shell("yes | head -n 100000; exit 4")).expect("the shell starts");
    let finished = running.finish(PATIENCE);
    assert_eq!(finished.ending, Ending::Exited(4));
    assert_eq!(finished.output.bytes.len(), 200_000);
}

#[test]
fn letting_go_kills_the_group() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let in_directory = |script: &str| {
        Launch::new("sh", directory.path())
            .variable("PATH", "/usr/bin:/bin")
            .arguments(["-c", script])
    };
    assert!(run(&in_directory("mkfifo fifo")).succeeded());
    let mut reader = open(&in_directory("cat fifo")).expect("the reader starts");
    let running = open(&in_directory("(echo held; exec sleep 1000) > fifo & wait"));
    assert_eq!(line(&mut reader), Some("held".to_owned()));
    drop(running);
    // Only the grandchild held the pipe, so its end tells that the grandchild is dead.
    assert_eq!(line(&mut reader), None);
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_may_fill_no_more_memory_than_it_is_given() {
    let script = "read -r line; ulimit -d; ulimit -Hd; sh -c 'ulimit -d'";
    let mut running = open(&shell(script).memory(256 << 20)).expect("a process");
    running.send_line("go").expect("a line");
    for _ in 0..3 {
        assert_eq!(line(&mut running).as_deref(), Some("262144"));
    }
    let finished = run(&shell("ulimit -d"));
    assert_ne!(finished.output.text().trim_end(), "262144", "our own limit is as it was");
}
