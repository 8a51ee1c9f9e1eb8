use pacenote_model::{HostId, HostName, Moment, ReceiptItem, Trust, receipt::Extent};
use proptest::prelude::*;

use super::*;

/// A session's log, and the processes that append to it.
struct Log {
    records: Vec<Record>,
    printed: Vec<String>,
    now: Moment,
    known_by: KnownBy,
}

impl Default for Log {
    fn default() -> Self {
        let now = Moment::from_millis(1);
        Self { records: Vec::new(), printed: Vec::new(), now, known_by: KnownBy::Place }
    }
}

/// How far a process comes before it is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Death {
    Never,
    BeforeOffering,
    BeforePrinting,
    BeforeNoting,
}

fn host() -> (HostName, HostId) {
    (HostName::parse("claude").unwrap(), HostId::parse("s-1").unwrap())
}

fn digest(text: &str) -> Digest {
    Digest::new(*blake3::hash(text.as_bytes()).as_bytes())
}

impl Log {
    /// Runs one process at an event, in a world that consists of these items, with so many parts.
    fn run(
        &mut self,
        payload: &str,
        begins: bool,
        part: u8,
        world: &[&str],
        parts: u8,
        death: Death,
    ) {
        let standing = Standing::of(&self.records);
        let may_follow_no_turn = !begins;
        let (known_by, at) = (self.known_by, self.now);
        let arrival =
            Arrival { payload, known_by, at, part, begins_epoch: begins, may_follow_no_turn };
        let arrived =
            |emission: &str| Some(self.printed.iter().any(|text| text.starts_with(emission)));
        let decision = standing.decide(&arrival, &arrived);
        let (Decision::Repeat { epoch, .. }
        | Decision::Full { epoch }
        | Decision::News { epoch, .. }
        | Decision::Delta { epoch }
        | Decision::Silence { epoch }) = decision;
        let (host, host_id) = host();
        self.records.push(Record::Seen {
            at,
            host: host.clone(),
            host_id: host_id.clone(),
            place: "/p".into(),
            name: "p".into(),
            payload: payload.into(),
            part,
            epoch,
            begins,
            event: String::new(),
        });
        if death == Death::BeforeOffering {
            return;
        }
        let told: Vec<(String, Digest)> = match &decision {
            Decision::Delta { .. } | Decision::News { .. } => {
                let told = standing.told();
                told.into_iter().map(|(id, digest)| (id.to_owned(), *digest)).collect()
            }
            Decision::Full { .. } | Decision::Repeat { .. } | Decision::Silence { .. } => {
                Vec::new()
            }
        };
        let (emission, part) = match decision {
            Decision::Silence { .. } => return,
            Decision::Repeat { emission, part, .. } => (emission, part),
            Decision::Full { .. } | Decision::Delta { .. } | Decision::News { .. } => {
                let fresh: Vec<&&str> = world
                    .iter()
                    .filter(|text| !told.contains(&((**text).to_owned(), digest(text))))
                    .collect();
                if fresh.is_empty() {
                    let Decision::News { emission, part, .. } = decision else { return };
                    (emission, part)
                } else {
                    let earlier = standing.count_answers(payload, epoch);
                    let again = if earlier > 0 { format!("+{earlier}") } else { String::new() };
                    let emission = format!("{epoch}-{payload}{again}");
                    self.offer(&emission, payload, epoch, &fresh, parts);
                    (emission, part)
                }
            }
        };
        if death == Death::BeforePrinting {
            return;
        }
        self.printed.push(format!("{emission} part {part}"));
        if death == Death::BeforeNoting {
            return;
        }
        let (place, name) = ("/p".to_owned(), "p".to_owned());
        self.records.push(Record::Printed { host, host_id, place, name, emission, part });
    }

    fn offer(&mut self, emission: &str, payload: &str, epoch: u32, items: &[&&str], parts: u8) {
        let (host, host_id) = host();
        let items = items.iter().map(|text| ReceiptItem {
            id: (**text).to_owned(),
            kind: "mail".into(),
            trust: Trust::Agent,
            reason: String::new(),
            tokens: 1,
            fate: "whole".into(),
            why: None,
            digest: digest(text),
            part: Some(1),
        });
        self.records.push(Record::Offered {
            at: Moment::from_millis(1),
            host,
            host_id,
            place: "/p".into(),
            name: "p".into(),
            payload: payload.into(),
            receipt: Receipt {
                emission: emission.into(),
                epoch,
                event: PROMPT.into(),
                extent: Extent::Full,
                tokens: 1,
                hidden: 0,
                redacted: 0,
                parts: (0..parts).map(|part| digest(&part.to_string())).collect(),
                items: items.collect(),
            },
        });
    }

    fn told(&self) -> String {
        self.printed.join("\n")
    }
}

#[test]
fn an_epoch_is_told_once_and_then_only_what_is_new() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a", "b"], 1, Death::Never);
    log.run("prompt-1", false, 1, &["a", "b"], 1, Death::Never);
    log.run("prompt-2", false, 1, &["a", "b", "c"], 1, Death::Never);
    log.run("prompt-3", false, 1, &["a", "b", "c"], 1, Death::Never);
    log.run("compact", true, 1, &["a", "b", "c"], 1, Death::Never);
    log.run("resume", false, 1, &["a", "b", "c"], 1, Death::Never);
    log.run("prompt-4", false, 1, &["a", "b"], 1, Death::Never);
    log.run("compact", true, 1, &["a", "b"], 1, Death::Never);
    insta::assert_snapshot!(log.told(), @"
    1-startup part 1
    1-prompt-2 part 1
    2-compact part 1
    3-compact part 1
    ");
}

#[test]
fn parts_share_what_the_first_assembled_in_any_order() {
    let mut log = Log::default();
    log.run("startup", true, 2, &["a"], 2, Death::Never);
    log.run("startup", true, 1, &["a"], 2, Death::Never);
    log.run("startup", true, 3, &["a"], 2, Death::Never);
    log.run("prompt", false, 1, &["a"], 1, Death::Never);
    log.run("compact", true, 1, &["a"], 2, Death::Never);
    log.run("compact", true, 2, &["a"], 2, Death::Never);
    // The host asks again for the same event: the same bytes.
    log.run("compact", true, 2, &["a", "changed"], 2, Death::Never);
    insta::assert_snapshot!(log.told(), @"
    1-startup part 2
    1-startup part 1
    2-compact part 1
    2-compact part 2
    2-compact part 2
    ");
}

#[test]
fn a_part_that_joins_late_is_told_the_present_epoch() {
    let mut log = Log::default();
    for payload in ["startup", "compact-1", "compact-2"] {
        log.run(payload, true, 1, &["a"], 2, Death::Never);
        log.run(&format!("{payload}-prompt"), false, 1, &["a"], 1, Death::Never);
    }
    log.run("compact-3", true, 2, &["a"], 2, Death::Never);
    log.run("compact-3", true, 1, &["a"], 2, Death::Never);
    assert!(log.told().ends_with("4-compact-3 part 2\n4-compact-3 part 1"), "{}", log.told());
}

#[test]
fn what_a_dead_process_offered_is_offered_again_in_the_same_bytes() {
    for (death, told) in [
        (Death::BeforeOffering, "1-prompt-1 part 1\n1-prompt-2 part 1"),
        (Death::BeforePrinting, "1-startup part 1\n1-prompt-2 part 1"),
        // It was printed, which the transcript tells.
        (Death::BeforeNoting, "1-startup part 1\n1-prompt-2 part 1"),
    ] {
        let mut log = Log::default();
        log.run("startup", true, 1, &["a"], 1, death);
        log.run("prompt-1", false, 1, &["a"], 1, Death::Never);
        log.run("prompt-2", false, 1, &["a", "new"], 1, Death::Never);
        assert_eq!(log.told(), told, "{death:?}");
    }
}

#[test]
fn a_session_whose_beginning_nobody_saw_is_told_everything_once() {
    let mut log = Log::default();
    log.run("prompt-1", false, 1, &["a"], 1, Death::Never);
    log.run("prompt-2", false, 1, &["a"], 1, Death::Never);
    assert_eq!(log.told(), "1-prompt-1 part 1");
}

/// An event with what the world holds and how its process ends.
fn any_event() -> impl Strategy<Value = (bool, Vec<u8>, Death)> {
    let death = prop_oneof![
        4 => Just(Death::Never),
        1 => Just(Death::BeforeOffering),
        1 => Just(Death::BeforePrinting),
        1 => Just(Death::BeforeNoting),
    ];
    (prop::bool::weighted(0.2), prop::collection::vec(0_u8..5, 0..4), death)
}

#[test]
fn what_came_with_a_prompt_that_was_taken_back_comes_again() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("one", false, 1, &["a", "b"], 1, Death::Never);
    // The person cancels it before the first word, and the client forgets it.
    log.printed.pop();
    log.run("two", false, 1, &["a", "b"], 1, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-one part 1");
    log.run("three", false, 1, &["a", "b"], 1, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-one part 1", "once");
}

#[test]
fn the_same_words_after_a_prompt_that_was_taken_back_bring_what_was_lost() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("go on", false, 1, &["a", "b"], 1, Death::Never);
    log.printed.pop();
    log.run("go on", false, 1, &["a", "b", "c"], 1, Death::Never);
    log.run("stop", false, 1, &[], 1, Death::Never);
    log.run("go on", false, 1, &["a", "b", "c"], 1, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-go on part 1\n1-go on+1 part 1");
}

#[test]
fn what_no_transcript_can_show_counts_as_told() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("one", false, 1, &["a", "b"], 1, Death::Never);
    let arrival = Arrival {
        payload: "two",
        known_by: KnownBy::Place,
        at: log.now,
        part: 1,
        begins_epoch: false,
        may_follow_no_turn: true,
    };
    let decide = |arrived| Standing::of(&log.records).decide(&arrival, &|_| arrived);
    assert_eq!(decide(None), Decision::Delta { epoch: 1 });
    assert_eq!(decide(Some(true)), Decision::Delta { epoch: 1 });
    assert!(matches!(decide(Some(false)), Decision::Repeat { part: 1, .. }));
    let arrival = Arrival { may_follow_no_turn: false, ..arrival };
    let decided = Standing::of(&log.records).decide(&arrival, &|_| Some(false));
    assert_eq!(decided, Decision::Delta { epoch: 1 }, "elsewhere nothing is taken back");
}

proptest! {
    /// Whatever dies, everything in the world has been told in the present epoch as soon as enough
    /// processes in a row live, and no emission is printed twice for different events.
    #[test]
    fn everything_arrives_and_nothing_twice(events in prop::collection::vec(any_event(), 1..20)) {
        let mut log = Log::default();
        for (number, (begins, world, death)) in events.iter().enumerate() {
            let world: Vec<String> = world.iter().map(ToString::to_string).collect();
            let world: Vec<&str> = world.iter().map(String::as_str).collect();
            log.run(&format!("event-{number}"), *begins, 1, &world, 1, *death);
        }
        let (_, world, _) = events.last().unwrap();
        let world: Vec<String> = world.iter().map(ToString::to_string).collect();
        let world: Vec<&str> = world.iter().map(String::as_str).collect();
        for number in 0..=events.len() {
            log.run(&format!("late-{number}"), false, 1, &world, 1, Death::Never);
        }
        let standing = Standing::of(&log.records);
        let told = standing.told();
        for text in &world {
            prop_assert_eq!(told.get(text).copied(), Some(&digest(text)));
        }
        let arrived =
            |emission: &str| Some(log.printed.iter().any(|text| text.starts_with(emission)));
        prop_assert!(standing.never_printed(&arrived).is_none());
        let mut once: Vec<&String> = log.printed.iter().collect();
        once.sort();
        once.dedup();
        prop_assert_eq!(once.len(), log.printed.len());
    }
}

/// Makes the world a list of numbered messages.
fn messages(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("m{number}")).collect()
}

#[test]
fn the_same_words_are_another_prompt_once_something_happened() {
    for gap in ["stop", "later"] {
        let mut log = Log::default();
        log.run("startup", true, 1, &["a"], 1, Death::Never);
        for world in [&["a", "one"][..], &["a", "one", "two"], &["a", "one", "two"]] {
            log.run("go on", false, 1, world, 1, Death::Never);
            match gap {
                "stop" => log.run("stop", false, 1, &[], 1, Death::Never),
                _ => log.now = Moment::from_millis(log.now.millis() + SAME_EVENT + 1),
            }
        }
        assert_eq!(log.told(), "1-startup part 1\n1-go on part 1\n1-go on+1 part 1", "{gap}");
    }
}

#[test]
fn a_resume_with_the_same_bytes_is_not_answered_from_the_past() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    let resumes = [&["a", "one"][..], &["a", "one"], &["a", "one", "two"]];
    for (turn, world) in resumes.into_iter().enumerate() {
        log.run("resume", false, 1, world, 1, Death::Never);
        log.run(&format!("prompt-{turn}"), false, 1, world, 1, Death::Never);
    }
    assert_eq!(log.told(), "1-startup part 1\n1-resume part 1\n1-resume+1 part 1");
}

#[test]
fn parts_of_a_later_event_with_the_same_bytes_are_not_those_of_the_first() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("resume", false, 1, &["a", "one"], 2, Death::Never);
    log.run("resume", false, 2, &["a", "one"], 2, Death::Never);
    log.run("stop", false, 1, &[], 1, Death::Never);
    // Nothing is new at the second resume, whichever part comes first and however late the other is.
    log.run("resume", false, 2, &["a", "one"], 2, Death::Never);
    log.now = Moment::from_millis(log.now.millis() + SAME_EVENT + 1);
    log.run("resume", false, 1, &["a", "one"], 2, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-resume part 1\n1-resume part 2");
}

#[test]
fn of_two_events_that_nobody_can_tell_apart_the_second_gets_the_news_or_the_same() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("go on", false, 1, &["a", "one"], 1, Death::Never);
    log.run("go on", false, 1, &["a", "one"], 1, Death::Never);
    log.run("go on", false, 1, &["a", "one", "urgent"], 1, Death::Never);
    log.run("go on", false, 1, &["a", "one", "urgent"], 1, Death::Never);
    assert_eq!(
        log.told(),
        "1-startup part 1\n1-go on part 1\n1-go on part 1\n1-go on+1 part 1\n1-go on+1 part 1"
    );
}

#[test]
fn a_beginning_that_is_fired_twice_is_one_and_the_next_day_it_is_two() {
    let mut log = Log::default();
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("startup", true, 1, &["a", "b"], 1, Death::Never);
    log.now = Moment::from_millis(86_400_000);
    log.run("startup", true, 1, &["a", "b"], 1, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-startup part 1\n2-startup part 1");

    // With an id of its own it is the same beginning whenever it comes.
    let mut log = Log { known_by: KnownBy::OwnId, ..Log::default() };
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    log.run("prompt", false, 1, &["a"], 1, Death::Never);
    log.now = Moment::from_millis(86_400_000);
    log.run("startup", true, 1, &["a"], 1, Death::Never);
    assert_eq!(log.told(), "1-startup part 1\n1-startup part 1");
}

/// Something that happens in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Happening {
    /// The person sends one of a few prompts.
    Prompt(u8),
    Resume,
    Compact,
    Stop,
    /// Time passes, in which tools are used.
    Work,
    /// An urgent message comes.
    Mail,
    /// The host fires the last event again.
    Again,
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => (0_u8..2).prop_map(Happening::Prompt),
        1 => Just(Happening::Resume),
        1 => Just(Happening::Compact),
        2 => Just(Happening::Stop),
        1 => Just(Happening::Work),
        2 => Just(Happening::Mail),
        2 => Just(Happening::Again),
    ]
}

proptest! {
    /// Whatever happens in whichever order, with ids or without: no message waits for a second
    /// event, a duplicate gets the same bytes and begins nothing, and two events never get the same.
    #[test]
    fn events_are_known_by_their_words_and_their_place(
        happenings in prop::collection::vec(any_happening(), 1..40),
        has_ids in any::<bool>(),
    ) {
        let mut log = Log::default();
        if has_ids {
            log.known_by = KnownBy::OwnId;
        }
        let mut mails = 1;
        // The last event: its payload, whether it begins an epoch, how many mails there were, and
        // what was printed for it.
        let mut last: Option<(String, bool, usize, Vec<String>)> = None;
        let mut is_apart = true;
        for (number, happening) in happenings.into_iter().enumerate() {
            let (words, begins) = match happening {
                Happening::Prompt(word) => (format!("prompt {word}"), false),
                Happening::Resume => ("resume".to_owned(), false),
                Happening::Compact => ("compact".to_owned(), true),
                Happening::Stop => {
                    log.run(&format!("stop {number}"), false, 1, &[], 1, Death::Never);
                    (is_apart, last) = (true, None);
                    continue;
                }
                Happening::Work => {
                    log.now = Moment::from_millis(log.now.millis() + SAME_EVENT + 1);
                    (is_apart, last) = (true, None);
                    continue;
                }
                Happening::Mail => {
                    mails += 1;
                    continue;
                }
                Happening::Again => {
                    let Some((payload, begins, known, printed)) = &last else { continue };
                    let world = messages(mails);
                    let world: Vec<&str> = world.iter().map(String::as_str).collect();
                    let (epoch, before) = (Standing::of(&log.records).epoch(), log.printed.len());
                    log.run(payload, *begins, 1, &world, 1, Death::Never);
                    prop_assert_eq!(Standing::of(&log.records).epoch(), epoch);
                    let again = log.printed.split_off(before);
                    // A message in between is no reason to answer a duplicate otherwise, unless it
                    // could be another event or had no answer.
                    let is_certain = (has_ids || *begins) && !printed.is_empty();
                    if *known == mails || is_certain {
                        prop_assert_eq!(&again, printed);
                    } else {
                        log.printed.extend(again.clone());
                        last = Some((payload.clone(), *begins, mails, again));
                    }
                    continue;
                }
            };
            let payload = if has_ids { format!("{words} {number}") } else { words };
            let looks_the_same = last.as_ref().is_some_and(|(last, ..)| *last == payload);
            let world = messages(mails);
            let world: Vec<&str> = world.iter().map(String::as_str).collect();
            let before = log.printed.len();
            log.run(&payload, begins, 1, &world, 1, Death::Never);
            let printed = log.printed.split_off(before);
            if !(begins && looks_the_same) {
                let standing = Standing::of(&log.records);
                let told = standing.told();
                prop_assert!(world.iter().all(|text| told.contains_key(text)), "{told:?}");
            }
            if is_apart || !looks_the_same {
                prop_assert!(printed.iter().all(|text| !log.printed.contains(text)));
            }
            log.printed.extend(printed.clone());
            last = Some((payload, begins, mails, printed));
            is_apart = false;
        }
    }
}
