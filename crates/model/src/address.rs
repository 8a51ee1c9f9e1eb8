//! Addresses of agents and the mentions of them in a text.

use alloc::{collections::BTreeMap, vec::Vec};
use core::{fmt, ops::Range};

use crate::{AgentName, BadName, Branch, limits};

/// Where mail goes: `@agent`, `@branch:agent` or `@project:branch:agent`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The project's name, when it is not the sender's own.
    pub project: Option<Branch>,
    /// The branch the agent works on, when it matters.
    pub branch: Option<Branch>,
    pub agent: AgentName,
}

impl Address {
    /// Parses an address with or without its `@`.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let bad = || BadName {
            what: "an address",
            rule: "`@agent`, `@branch:agent` or `@project:branch:agent`",
            found: raw.into(),
        };
        let text = raw.trim();
        let text = text.strip_prefix('@').unwrap_or(text);
        let mut parts = text.rsplitn(4, ':');
        let agent = AgentName::parse(parts.next().ok_or_else(bad)?)?;
        let branch = parts.next().map(Branch::parse).transpose()?;
        let project = parts.next().map(Branch::parse).transpose()?;
        if parts.next().is_some() {
            return Err(bad());
        }
        Ok(Self { project, branch, agent })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        for part in [&self.project, &self.branch].into_iter().flatten() {
            write!(f, "{part}:")?;
        }
        self.agent.fmt(f)
    }
}

/// Returns the agents mentioned in a text, each once, in order, at most [`limits::MENTIONS`].
///
/// Code between backticks holds decorators and package scopes rather than agents, and an `@` after
/// a letter or digit belongs to an e-mail address; neither counts.
pub fn mentions(text: &str) -> Vec<Address> {
    let mut found: Vec<Address> = Vec::new();
    for piece in prose(text) {
        let mut rest = piece;
        let mut before = ' ';
        while let Some(character) = rest.chars().next() {
            let length = if character == '@' && may_precede(before) {
                let word = mention_word(rest);
                if let Ok(address) = Address::parse(word)
                    && !found.contains(&address)
                {
                    found.push(address);
                    if found.len() == limits::MENTIONS {
                        return found;
                    }
                }
                word.len().max(1)
            } else {
                character.len_utf8()
            };
            let (taken, left) = rest.split_at_checked(length).unwrap_or((rest, ""));
            before = taken.chars().next_back().unwrap_or(' ');
            rest = left;
        }
    }
    found
}

fn may_precede(character: char) -> bool {
    !character.is_alphanumeric() && !"._/-@".contains(character)
}

/// Returns what lies outside code spans, in order.
fn prose(text: &str) -> Vec<&str> {
    let runs = backticks(text);
    let closers = closers(&runs);
    let mut pieces = Vec::new();
    let mut from = 0;
    for (run, closer) in runs.iter().zip(closers) {
        // What starts before the last span ended is part of that span.
        if let Some(closer) = closer
            && run.start >= from
        {
            pieces.extend(text.get(from..run.start));
            from = closer;
        }
    }
    pieces.extend(text.get(from..));
    pieces
}

/// Returns every run of backticks.
fn backticks(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            Some(_) | None => runs.push(at..at + 1),
        }
    }
    runs
}

/// Returns for each run where the code span ends that it would open: behind the next run of the
/// same length. Read from the end, so that a text full of backticks is still read once.
fn closers(runs: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut next = BTreeMap::new();
    let mut closers: Vec<Option<usize>> =
        runs.iter().rev().map(|run| next.insert(run.len(), run.end)).collect();
    closers.reverse();
    closers
}

/// Returns the `@…` at the start of `rest`, without the punctuation that ends a sentence.
fn mention_word(rest: &str) -> &str {
    let end = rest
        .char_indices()
        .skip(1)
        .find(|(_, c)| !c.is_ascii_alphanumeric() && !"._/:-".contains(*c))
        .map_or(rest.len(), |(at, _)| at);
    let word = rest.split_at_checked(end).map_or(rest, |(word, _)| word);
    word.trim_end_matches(['.', ':', '/', '-', '_'])
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    #[test]
    fn three_forms() {
        for (raw, shown) in [
            ("backend", "@backend"),
            ("@Backend", "@backend"),
            ("feature/login:backend", "@feature/login:backend"),
            ("@Shop:main:backend", "@Shop:main:backend"),
        ] {
            assert_eq!(Address::parse(raw).unwrap().to_string(), shown);
        }
        for raw in ["", "@", "a:b:c:d", ":x", "x:", "-rf", "../x", "main:-x", "a b"] {
            assert!(Address::parse(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn mentions_in_prose() {
        for (text, expected) in [
            ("@backend please look, and @Frontend.", "@backend, @frontend"),
            ("(@main:backend) and @shop:main:backend: yes", "@main:backend, @shop:main:backend"),
            ("@a @a @A", "@a"),
            ("mail joe@example.com, not @me@there", "@me"),
            ("use `@decorator` or ``a ` @b``, then @c", "@c"),
            ("an unclosed ` then @d", "@d"),
            ("```\n@code\n``` @e", "@e"),
            ("`a``@b` @c ``` ` @d ` @e", "@c, @e"),
            ("``` @a `@b` @c ``", "@a, @c"),
            ("@ alone, @-rf, @../x", ""),
            ("npm i @scope/package", ""),
            ("", ""),
        ] {
            let found: Vec<_> = mentions(text).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(", "), expected, "{text:?}");
        }
    }

    #[test]
    fn backticks_cost_no_more_than_other_characters() {
        // Runs of all lengths, none of which closes another, and one that is very long. Looking for
        // the end of each by itself took seconds.
        let ever_longer = (1..350).map(|n| "`".repeat(n)).collect::<Vec<_>>().join(" ");
        let long = alloc::format!("` {}", "`".repeat(65_000));
        let pairs = "`` ` ".repeat(13_000);
        for text in [ever_longer, long, pairs] {
            assert!(text.len() <= limits::MAIL_BODY_BYTES);
            let began = Instant::now();
            for _ in 0..20 {
                assert!(mentions(&text).is_empty());
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        }
    }

    #[test]
    fn only_so_many_mentions_are_read() {
        let crowd: Vec<String> = (0..1000).map(|n| alloc::format!("@agent-{n}")).collect();
        let found = mentions(&crowd.join(" "));
        assert_eq!(found.len(), limits::MENTIONS);
        assert_eq!(found[0].to_string(), "@agent-0");
    }

    /// Finds code spans by the letter of the rule: up to the next run of equal length.
    fn prose_by_the_letter(text: &str) -> String {
        let runs = backticks(text);
        let mut kept = String::new();
        let (mut from, mut at) = (0, 0);
        while at < runs.len() {
            let closer = (at + 1..runs.len()).find(|other| runs[*other].len() == runs[at].len());
            if let Some(closer) = closer {
                kept.push_str(text.get(from..runs[at].start).unwrap());
                from = runs[closer].end;
                at = closer;
            }
            at += 1;
        }
        kept + text.get(from..).unwrap()
    }

    proptest! {
        #[test]
        fn code_spans_end_at_the_next_run_of_equal_length(text in "[`a ]{0,40}") {
            prop_assert_eq!(prose(&text).concat(), prose_by_the_letter(&text));
        }

        /// Any text is read to its end, and what is found is a whole address of that text.
        #[test]
        fn mentions_never_invent(text in "[@`a-zA-Z:./ \n-]{0,60}|\\PC{0,40}") {
            for address in mentions(&text) {
                let lower = text.to_ascii_lowercase();
                prop_assert!(lower.contains(&address.to_string().to_ascii_lowercase()));
            }
        }
    }
}
