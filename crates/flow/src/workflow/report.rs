//! The report of a review: its verdict, its findings, and what both come to in a round.
//!
//! The verdict is one line that a reviewer writes; the findings stand below it, each with its
//! severity. Neither is believed alone: a report that passes work above a finding that counts
//! contradicts itself and decides nothing, and one that fails work only for findings that no longer
//! count passes it.

use thiserror::Error;

use super::words::Severity;

/// The beginning of the line that gives the verdict.
const RESULT: &str = "RESULT";

/// The two verdicts.
const PASS: &str = "PASS";
const FAIL: &str = "FAIL";

/// Longest finding that is repeated to a reader, in characters; the report has the rest.
const FINDING_CHARACTERS: usize = 300;

/// Words behind a severity that say there is nothing of it, where nothing else follows but
/// [`EMPTY_WORDS`]: "none of the tests runs" is a finding.
const NOTHING: [&str; 7] = ["none", "nothing", "no", "na", "0", "zero", "nil"];

/// Words that may follow one of [`NOTHING`].
const EMPTY_WORDS: [&str; 12] = [
    "found",
    "left",
    "here",
    "remaining",
    "at",
    "all",
    "in",
    "this",
    "round",
    "open",
    "counts",
    "a",
];

/// Words that may stand between a severity and what is said of it.
const FILLERS: [&str; 8] =
    ["finding", "findings", "issue", "issues", "item", "items", "problem", "problems"];

/// Words of other scales for what must not pass, as some reviewers write them.
const ALARMS: [&str; 6] = ["CRITICAL", "BLOCKER", "FATAL", "SEVERE", "HIGH", "MAJOR"];

/// Headings below which a list item without a severity is not a finding.
const ASIDE: [&str; 10] = [
    "answers",
    "not checked",
    "unchecked",
    "checked",
    "open",
    "summary",
    "notes",
    "scope",
    "method",
    "what i checked",
];

/// Something that a review found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line of the report.
    pub line: usize,
    pub severity: Severity,
    /// The line as it was written, shortened to what a reader takes in.
    pub text: String,
    /// Whether it stands in a code block, where it may be a quotation.
    is_quoted: bool,
}

/// A report that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewReport {
    passes: bool,
    findings: Vec<Finding>,
    /// Whether something in it has no severity and may be a finding all the same.
    has_ungraded: bool,
}

/// What a report comes to in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub passes: bool,
    /// The findings that count, as they were written.
    pub open: Vec<String>,
    /// What the person should know where the verdict was not simply taken over.
    pub remark: Option<String>,
}

/// Why a report decides nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReportError {
    #[error("its first line is not `RESULT: PASS` or `RESULT: FAIL`")]
    NoVerdict,
    #[error("it says both `RESULT: PASS` and `RESULT: FAIL`")]
    TwoVerdicts,
    #[error("it says `RESULT: PASS`, and line {line} is a finding that counts: {text}")]
    CountingFinding {
        line: usize,
        severity: Severity,
        /// The line as it was written.
        text: String,
    },
}

impl ReportError {
    /// Returns what would have been right.
    pub fn hint(&self) -> String {
        match self {
            Self::NoVerdict | Self::TwoVerdicts => {
                "the reviewer writes one verdict, on the first line".to_owned()
            }
            Self::CountingFinding { severity, .. } => format!(
                "let the reviewer write `RESULT: FAIL`, or begin no line with {} that is not a \
                 finding and put remarks under the heading `Checked`",
                severity.capitals()
            ),
        }
    }
}

impl ReviewReport {
    /// Reads a report.
    ///
    /// Two verdicts that disagree are an error: otherwise the one that suits somebody would count.
    pub fn parse(text: &str) -> Result<Self, ReportError> {
        let text = visible(text).replace("\r\n", "\n");
        let mut verdict = None;
        let mut reading = Reading::default();
        for (line, number) in text.split(is_line_end).zip(1..) {
            if line.trim().is_empty() {
                reading.is_after_blank = true;
                continue;
            }
            match (verdict, verdict_of(line)) {
                (None, None) => return Err(ReportError::NoVerdict),
                (None, Some(first)) => verdict = Some(first),
                (Some(first), Some(other)) if first != other => {
                    return Err(ReportError::TwoVerdicts);
                }
                (Some(_), Some(_)) => {}
                (Some(_), None) => reading.take(line, number),
            }
        }
        let passes = verdict.ok_or(ReportError::NoVerdict)?;
        Ok(Self { passes, findings: reading.findings, has_ungraded: reading.has_ungraded })
    }

    /// Compares the verdict with the findings, of which only some severities count.
    pub fn judge(&self, counted: &[Severity]) -> Result<Judgement, ReportError> {
        let open: Vec<&Finding> =
            self.findings.iter().filter(|finding| counted.contains(&finding.severity)).collect();
        if let (true, [first, ..]) = (self.passes, open.as_slice()) {
            return Err(ReportError::CountingFinding {
                line: first.line,
                severity: first.severity,
                text: first.text.clone(),
            });
        }
        let is_clear = self.findings.iter().any(|finding| !finding.is_quoted) && !self.has_ungraded;
        let passes = self.passes || (open.is_empty() && is_clear);
        let words: Vec<&str> = counted.iter().map(|severity| severity.capitals()).collect();
        let remark = match (passes, self.passes) {
            (true, false) => Some(format!(
                "`RESULT: FAIL` counts as a pass: in this round only {} findings count, and the \
                 report has none",
                words.join(" and ")
            )),
            (false, _) if open.is_empty() => Some(
                "the report fails the work and names no finding that counts by its severity"
                    .to_owned(),
            ),
            (true, true) | (false, _) => None,
        };
        let open = open.into_iter().map(|finding| finding.text.clone()).collect();
        Ok(Judgement { passes, open, remark })
    }
}

/// Findings on the way through a report.
#[derive(Default)]
struct Reading {
    findings: Vec<Finding>,
    has_ungraded: bool,
    is_in_code: bool,
    is_after_blank: bool,
    /// The heading the line stands below.
    section: Section,
}

/// What a heading says of the lines below it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    /// Nothing: an item of a list may be a finding.
    #[default]
    Plain,
    /// They are findings of this severity.
    Graded(Severity),
    /// They are not findings.
    Aside,
}

impl Reading {
    fn take(&mut self, line: &str, number: usize) {
        let is_after_blank = std::mem::take(&mut self.is_after_blank);
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            self.is_in_code = !self.is_in_code;
            return;
        }
        if let Some((severity, said)) = graded(bare) {
            match said {
                Said::Nothing => self.section = Section::Plain,
                Said::Heading => self.section = Section::Graded(severity),
                Said::Count | Said::Finding => self.note(line, number, severity),
            }
            return;
        }
        if self.is_in_code {
            return;
        }
        if is_row_separator(bare) {
            return;
        }
        if is_heading(bare) {
            let name = undecorated(bare).trim_end_matches(':').to_lowercase();
            let is_aside = ASIDE.iter().any(|aside| name.starts_with(aside));
            self.section = if is_aside { Section::Aside } else { Section::Plain };
            return;
        }
        let is_item = is_list_item(line);
        match self.section {
            Section::Graded(severity) if (is_item || is_after_blank) && !is_nothing(bare) => {
                self.note(line, number, severity);
            }
            // "without one it counts as MUST": a line that names a code or a place is a finding.
            Section::Plain if names_finding(bare) => self.note(line, number, Severity::Must),
            // What goes on from the line before belongs to that.
            Section::Plain
                if !is_nothing(bare) && (is_item || is_after_blank || !is_indented(line)) =>
            {
                self.has_ungraded = true;
            }
            Section::Graded(_) | Section::Plain | Section::Aside => {}
        }
    }

    fn note(&mut self, line: &str, number: usize, severity: Severity) {
        let bare = line.trim();
        let item = ["- ", "* ", "+ ", "• ", "> "].iter().find_map(|mark| bare.strip_prefix(mark));
        let visible = item.unwrap_or(bare).trim_start().chars().filter(|next| !next.is_control());
        let mut text: String = visible.clone().take(FINDING_CHARACTERS).collect();
        if visible.count() > FINDING_CHARACTERS {
            text.push('…');
        }
        let is_quoted = self.is_in_code;
        self.findings.push(Finding { line: number, severity, text, is_quoted });
    }
}

/// What a line says of the severity it begins with.
enum Said {
    /// There is nothing of it.
    Nothing,
    /// What stands below is of it.
    Heading,
    /// How many findings there are.
    Count,
    Finding,
}

/// Reads a line that begins with a severity.
///
/// In capitals the word alone decides. In another case it is also an ordinary verb ("must be
/// checked"), so something has to show that it is meant as a grade: a colon, brackets or emphasis
/// round it, or the code of a finding behind it.
fn graded(line: &str) -> Option<(Severity, Said)> {
    if let Some(severity) = severity_of_row(line) {
        return Some((severity, Said::Finding));
    }
    let (before, bare) = split_lead(line);
    let (first, rest) = split_word(bare);
    if ALARMS.contains(&first) && (rest.starts_with(':') || begins_with_code(rest)) {
        return Some((Severity::Must, Said::Finding));
    }
    let (word, rest, is_named) = if first.eq_ignore_ascii_case("severity") {
        let marks = [':', '=', '*', '_', ' ', '`', '"', '\''];
        let (word, rest) = split_word(rest.trim_start_matches(marks));
        (word, rest, true)
    } else {
        (first, rest, false)
    };
    let severity = severity_named(word)?;
    if rest.starts_with(|next: char| next.is_alphanumeric() || next == '\'' || next == '’') {
        return None;
    }
    let is_capitals = word == severity.capitals();
    let is_marked =
        before.ends_with(['[', '*', '(', '`', '_']) && rest.starts_with([']', '*', ')', '`', '_']);
    let after = rest.trim_start_matches([']', '*', ')', '`', '_']);
    let is_labelled = after.trim_start().starts_with([':', '|'])
        || begins_with_code(after)
        || begins_with_code(&after.to_uppercase());
    if !(is_capitals || is_named || is_marked || is_labelled) {
        return None;
    }
    let is_heading = is_heading(line);
    let said = match said_of(after) {
        // The field of a finding whose other fields stand round it.
        Said::Heading if is_named => Said::Finding,
        // A number alone counts findings: in a heading those below it, elsewhere others.
        Said::Count if is_heading => Said::Heading,
        Said::Count => Said::Finding,
        said @ (Said::Nothing | Said::Heading | Said::Finding) => said,
    };
    Some((severity, said))
}

/// Returns what stands behind a severity.
fn said_of(after: &str) -> Said {
    let lower = after.to_lowercase().replace("n/a", "na");
    let mut words = lower
        .split(|next: char| !next.is_alphanumeric())
        .filter(|word| !word.is_empty() && !FILLERS.contains(word));
    let Some(first) = words.next() else { return Said::Heading };
    // Counts of the other severities on the same line are not about this one.
    let is_other = |word: &str| Severity::ALL.iter().any(|severity| severity.word() == word);
    let mut rest = words.take_while(|word| !is_other(word));
    if NOTHING.contains(&first) && rest.clone().all(|word| EMPTY_WORDS.contains(&word)) {
        return Said::Nothing;
    }
    let is_count = first.bytes().all(|byte| byte.is_ascii_digit()) && rest.next().is_none();
    if is_count { Said::Count } else { Said::Finding }
}

/// Tells whether a text begins with the code of a finding, such as `DUPLICATE_LOGIC`.
fn begins_with_code(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '-', '–', '—', '`', '[', '(']);
    let end = text
        .find(|next: char| !(next.is_ascii_uppercase() || next == '_' || next.is_ascii_digit()));
    let code = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    code.contains('_') && code.len() > 3
}

/// Returns the severity of a row of a table that has it in a cell of its own behind the first.
fn severity_of_row(line: &str) -> Option<Severity> {
    let cells = line.strip_prefix('|')?.split('|').skip(1);
    let mut undecorated = cells.map(|cell| cell.trim().trim_matches(['*', '_', '`', '[', ']']));
    undecorated.find_map(severity_named)
}

fn severity_named(word: &str) -> Option<Severity> {
    Severity::ALL.into_iter().find(|severity| severity.word().eq_ignore_ascii_case(word))
}

/// Reports whether a line only separates the head of a table from its rows.
fn is_row_separator(line: &str) -> bool {
    line.contains('-') && line.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' ' | '=' | '_'))
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Reports whether a line begins as a finding does: with its code, or with its place in a file.
fn names_finding(line: &str) -> bool {
    let (_, bare) = split_lead(line);
    begins_with_code(bare) || begins_with_place(bare)
}

/// Reports whether a text begins with a line of a file, such as `src/cart.rs:31`.
fn begins_with_place(text: &str) -> bool {
    let word = text.split([' ', '\t', '`', '(', ',']).next().unwrap_or_default();
    let Some((path, line)) = word.split_once(':') else { return false };
    path.contains(['.', '/']) && line.starts_with(|first: char| first.is_ascii_digit())
}

/// Tells whether a line of a list says that there is nothing.
fn is_nothing(line: &str) -> bool {
    matches!(said_of(line), Said::Nothing | Said::Heading)
}

fn is_heading(line: &str) -> bool {
    let is_emphasised = line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    let is_label = line.ends_with(':') && !is_list_item(line);
    line.starts_with('#') || is_emphasised || is_label
}

/// Tells whether a line is an item of a list that is not below another item.
fn is_list_item(line: &str) -> bool {
    if line.starts_with(['-', '*', '+', '•']) && !line.starts_with("**") {
        return true;
    }
    let digits = line.trim_start_matches(|next: char| next.is_ascii_digit());
    digits.len() < line.len() && digits.starts_with(['.', ')'])
}

fn undecorated(line: &str) -> &str {
    split_lead(line).1.trim_end_matches(['*', '_', '`', '#', ' '])
}

/// Splits what stands before the first word of a line: marks of lists, quotations, tables and
/// emphasis, and numbers of findings such as `3.` or `F3:`.
fn split_lead(line: &str) -> (&str, &str) {
    let is_mark = |next: char| !next.is_alphanumeric();
    let mut rest = line.trim_start_matches(is_mark);
    loop {
        let (word, behind) = split_word_or_number(rest);
        let digits = word.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or(word);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // `a)`, `iv.`, and the mark of a box that is ticked.
        let is_letter = word.len() == 1 || word.bytes().all(|byte| b"ivxIVX".contains(&byte));
        let is_label = FILLERS.contains(&word.to_lowercase().as_str())
            && behind.trim_start().starts_with(|next: char| next.is_ascii_digit());
        let is_tag = line.contains('<') && behind.starts_with('>');
        let ends = behind.starts_with(['.', ')', ':', ']']);
        if word.is_empty() || !(is_label || is_tag || ends && (is_number || is_letter)) {
            break;
        }
        rest = behind.trim_start_matches(is_mark);
    }
    line.split_at(line.len() - rest.len())
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|next: char| !next.is_ascii_alphabetic());
    text.split_at(end.unwrap_or(text.len()))
}

fn split_word_or_number(text: &str) -> (&str, &str) {
    let end = text.find(|next: char| !next.is_alphanumeric());
    text.split_at(end.unwrap_or(text.len()))
}

/// Reads the line of a verdict.
fn verdict_of(line: &str) -> Option<bool> {
    let bare = line.trim().trim_matches(['*', '#', '`', '_', '>', ' ']);
    let (word, rest) = bare.split_at_checked(RESULT.len())?;
    if !word.eq_ignore_ascii_case(RESULT) {
        return None;
    }
    let said = rest.trim_start_matches(['*', '`', '_', ' ']).strip_prefix(':')?.to_uppercase();
    let said = said.trim_matches(['*', '`', '_', ' ']);
    // A verdict with reservations, such as `PASS_WITH_REMARKS`, is a word of its own.
    let first = said.split_whitespace().next()?.trim_matches(['*', '`', '.', ',', ';', ':', '!']);
    // A form that was copied says both, and decides nothing.
    let words = said.split(|c: char| !c.is_ascii_alphanumeric());
    if words.filter(|word| *word == PASS || *word == FAIL).count() > 1 {
        return None;
    }
    let mut words = said.split(|c: char| !c.is_ascii_alphanumeric());
    let names_severity = Severity::ALL.iter().any(|severity| {
        said.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == severity.capitals())
    });
    let is_denied =
        words.any(|word| word == "WITHOUT" || NOTHING.contains(&word.to_lowercase().as_str()));
    // "PASS with 3 MUST findings" decides nothing.
    if names_severity && !is_denied {
        return None;
    }
    match first {
        PASS => Some(true),
        FAIL => Some(false),
        _ => None,
    }
}

/// Returns a text without what no reader sees: sequences that colour a terminal, and signs of no width,
/// which could stand inside the word of a severity.
fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign == '\u{1b}' {
            if signs.next_if_eq(&'[').is_some() {
                while signs.next().is_some_and(|next| !next.is_ascii_alphabetic()) {}
            }
        } else if !is_hidden(sign) {
            seen.push(sign);
        }
    }
    seen
}

const fn is_hidden(sign: char) -> bool {
    matches!(
        sign,
        '\0' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// Every way to end a line, so that none of them hides a finding behind the verdict.
const fn is_line_end(next: char) -> bool {
    matches!(next, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All severities, as in the first rounds; and the last, in which one counts.
    const EARLY: [Severity; 3] = Severity::ALL;
    const LATE: [Severity; 1] = [Severity::Must];

    fn judged(report: &str, counted: &[Severity]) -> String {
        match ReviewReport::parse(report).and_then(|report| report.judge(counted)) {
            Ok(Judgement { passes, open, remark }) => {
                let verdict = if passes { "pass" } else { "fail" };
                let remark = remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
                format!("{verdict} {open:?}{remark}")
            }
            Err(error) => format!("refused: {error}"),
        }
    }

    #[test]
    fn a_report_says_once_whether_it_passes() {
        for (report, expected) in [
            ("RESULT: PASS", Ok(true)),
            ("\n**RESULT: FAIL**\n- MUST: no rollback", Ok(false)),
            ("I did not finish.\nRESULT: PASS", Err(ReportError::NoVerdict)),
            ("RESULT: PASS (no findings)\nREPORT: x.md", Ok(true)),
            ("RESULT: pass", Ok(true)),
            ("Result: Fail", Ok(false)),
            ("# Result: PASS", Ok(true)),
            ("RESULTS: PASS", Err(ReportError::NoVerdict)),
            ("RESULT PASS", Err(ReportError::NoVerdict)),
            ("all good", Err(ReportError::NoVerdict)),
            ("", Err(ReportError::NoVerdict)),
            ("RESULT: PASS\nRESULT: PASS", Ok(true)),
            ("RESULT: PASS\nRESULT: FAIL", Err(ReportError::TwoVerdicts)),
            ("RESULT: PASS\r\rresult: fail", Err(ReportError::TwoVerdicts)),
            ("RESULT: PASS or RESULT: FAIL", Err(ReportError::NoVerdict)),
            ("RESULT: PASS/FAIL", Err(ReportError::NoVerdict)),
            ("RESULT: PASS_WITH_REMARKS", Err(ReportError::NoVerdict)),
            ("RESULT: PASS-ish", Err(ReportError::NoVerdict)),
            ("RESULT: `PASS`.", Ok(true)),
            ("RESULT: PASS, nothing counts", Ok(true)),
            ("RESULT: PASSABLE", Err(ReportError::NoVerdict)),
            ("RESULT: PASS with 3 MUST findings", Err(ReportError::NoVerdict)),
            ("RESULT: PASS MUST WRONG_RESULT src/a.rs:1", Err(ReportError::NoVerdict)),
            ("RESULT: PASS (no MUST or SHOULD findings)", Ok(true)),
            ("RESULT: PASS, 0 MUST", Ok(true)),
            ("\u{1b}[32mRESULT: PASS\u{1b}[0m", Ok(true)),
            ("\u{feff}RESULT: PASS\r\n", Ok(true)),
        ] {
            let found = ReviewReport::parse(report).map(|report| report.passes);
            assert_eq!(found, expected, "{report}");
        }
    }

    /// Lines below a verdict, and the severity each is a finding of.
    #[test]
    fn findings_are_recognised_however_they_are_written() {
        use Severity::{Could, Must, Should};
        for (line, expected) in [
            ("MUST ASSUMPTION_UNVALIDATED this is terrible", Some(Must)),
            ("- MUST: no rollback", Some(Must)),
            ("* **MUST** DECISION_LOG_MISSING plan.md:3 no reason", Some(Must)),
            ("1. [MUST] the retry never ends", Some(Must)),
            ("F2: SHOULD DUPLICATE_LOGIC src/a.rs:1 rounds twice", Some(Should)),
            ("> MUST quoted", Some(Must)),
            ("| MUST | CODE | src/a.rs |", Some(Must)),
            ("| Severity | Code | Place |", None),
            ("### MUST-FIX: the lock", Some(Must)),
            ("Severity: Must", Some(Must)),
            ("- **Severity:** should", Some(Should)),
            ("- [ ] could: rename it", Some(Could)),
            ("**Must**: rename it", Some(Must)),
            ("must MARKER_INVALID src/a.rs:3", Some(Must)),
            ("    SHOULD DUPLICATE_LOGIC src/invoice.rs:88 rounds", Some(Should)),
            ("MUST none of the tests runs", Some(Must)),
            ("MUST no rollback", Some(Must)),
            ("MUST: 2", Some(Must)),
            ("MUST: none", None),
            ("MUST findings: none found.", None),
            ("- MUST (0)", None),
            ("MUST: n/a", None),
            ("MUST: 0, SHOULD: 2, COULD: 1", None),
            ("MUST: no findings", None),
            ("must be checked again later", None),
            ("You must not merge.", None),
            ("Should the person want it, rename.", None),
            ("MUSTARD is yellow", None),
            ("It MUST hold, and it does.", None),
            ("Could not run the tests", None),
            ("Could: not run", Some(Could)),
            // Without a severity it counts as one that must not pass.
            ("src/cli.py:3: prints floats", Some(Must)),
            ("- `src/cli.py:3` prints floats", Some(Must)),
            ("1. src/cli.py:3: prints floats", Some(Must)),
            ("WRONG_RESULT src/cli.py:3 prints floats", Some(Must)),
            ("CRITICAL: the lock is never released", Some(Must)),
            ("- [x] MUST WRONG_RESULT a", Some(Must)),
            ("a) MUST WRONG_RESULT a", Some(Must)),
            ("iv. MUST WRONG_RESULT a", Some(Must)),
            ("Finding 4: MUST DATA_LOSS src/z.rs:3: lost", Some(Must)),
            ("| 1 | MUST | src/y.rs:3 | data loss |", Some(Must)),
            ("|---|:---:|", None),
            (r#"{"severity": "MUST", "place": "src/a.rs:1"}"#, Some(Must)),
            ("<li>MUST WRONG_RESULT a</li>", Some(Must)),
            ("must wrong_result src/a.rs:1", Some(Must)),
            ("\u{1b}[31mMUST WRONG_RESULT a", Some(Must)),
            ("M\u{200b}UST WRONG_RESULT a", Some(Must)),
            ("I ran `cargo test`: 12 pass.", None),
            ("The high road: nothing to see.", None),
            ("10:30 the run began", None),
        ] {
            let report = ReviewReport::parse(&format!("RESULT: PASS\n{line}\n")).unwrap();
            let found = report.findings.first().map(|finding| finding.severity);
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn the_verdict_is_compared_with_the_findings() {
        let lines = [
            ("PASS\n\nMUST X this is terrible", &EARLY[..]),
            ("PASS\nMUST: none\nSHOULD: none", &EARLY),
            ("PASS\n## MUST\n- the lock is never released\n", &EARLY),
            ("PASS\n## MUST\nNone.\n## COULD\n- a name", &LATE),
            ("PASS\nSHOULD X later", &LATE),
            ("PASS\r\nSHOULD X\r\n", &EARLY),
            ("PASS\u{2028}MUST X hidden", &EARLY),
            ("PASS\n```\nMUST X in a block\n```", &EARLY),
            ("PASS\n- R1 holds\n- R2 holds", &EARLY),
            ("FAIL\nMUST X a\nSHOULD Y b", &LATE),
            ("FAIL\nSHOULD X a\n- COULD Y b", &LATE),
            ("FAIL\n\n## Findings\n- SHOULD X a\n- the login is open", &LATE),
            ("FAIL\nSHOULD X a\n\n## Not checked\n- the tests on Windows", &LATE),
            ("FAIL\n```\nSHOULD X a\n```", &LATE),
            ("FAIL\nSHOULD X a\n```\nMUST Y b\n```", &LATE),
            ("FAIL\nit is bad", &LATE),
            ("FAIL\nSHOULD X_Y a\nthe lock is never released", &LATE),
            ("FAIL\nSHOULD X_Y a\n  and more of the same", &LATE),
            ("FAIL\nSHOULD X_Y a\nsrc/lock.rs:40: the lock is never released", &LATE),
            ("FAIL\n| Severity | Place |\n|---|---|\n| SHOULD | src/a.rs:1 |", &LATE),
            ("FAIL\n\u{ff2d}UST a wide one\nCOULD X_Y a", &LATE),
            ("FAIL", &EARLY),
        ];
        let told = lines.map(|(report, counted)| {
            let shown = report.escape_debug();
            format!("{shown}\n  -> {}", judged(&format!("RESULT: {report}"), counted))
        });
        insta::assert_snapshot!(told.join("\n"), @r#"
        PASS\n\nMUST X this is terrible
          -> refused: it says `RESULT: PASS`, and line 3 is a finding that counts: MUST X this is terrible
        PASS\nMUST: none\nSHOULD: none
          -> pass []
        PASS\n## MUST\n- the lock is never released\n
          -> refused: it says `RESULT: PASS`, and line 3 is a finding that counts: the lock is never released
        PASS\n## MUST\nNone.\n## COULD\n- a name
          -> pass []
        PASS\nSHOULD X later
          -> pass []
        PASS\r\nSHOULD X\r\n
          -> refused: it says `RESULT: PASS`, and line 2 is a finding that counts: SHOULD X
        PASS\u{2028}MUST X hidden
          -> refused: it says `RESULT: PASS`, and line 2 is a finding that counts: MUST X hidden
        PASS\n```\nMUST X in a block\n```
          -> refused: it says `RESULT: PASS`, and line 3 is a finding that counts: MUST X in a block
        PASS\n- R1 holds\n- R2 holds
          -> pass []
        FAIL\nMUST X a\nSHOULD Y b
          -> fail ["MUST X a"]
        FAIL\nSHOULD X a\n- COULD Y b
          -> pass [] (`RESULT: FAIL` counts as a pass: in this round only MUST findings count, and the report has none)
        FAIL\n\n## Findings\n- SHOULD X a\n- the login is open
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL\nSHOULD X a\n\n## Not checked\n- the tests on Windows
          -> pass [] (`RESULT: FAIL` counts as a pass: in this round only MUST findings count, and the report has none)
        FAIL\n```\nSHOULD X a\n```
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL\nSHOULD X a\n```\nMUST Y b\n```
          -> fail ["MUST Y b"]
        FAIL\nit is bad
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL\nSHOULD X_Y a\nthe lock is never released
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL\nSHOULD X_Y a\n  and more of the same
          -> pass [] (`RESULT: FAIL` counts as a pass: in this round only MUST findings count, and the report has none)
        FAIL\nSHOULD X_Y a\nsrc/lock.rs:40: the lock is never released
          -> fail ["src/lock.rs:40: the lock is never released"]
        FAIL\n| Severity | Place |\n|---|---|\n| SHOULD | src/a.rs:1 |
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL\nＭUST a wide one\nCOULD X_Y a
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        FAIL
          -> fail [] (the report fails the work and names no finding that counts by its severity)
        "#);
    }

    #[test]
    fn a_finding_is_repeated_short_and_harmless() {
        let long = format!("RESULT: FAIL\nMUST X \u{1b}[31m{}", "é".repeat(5000));
        let report = ReviewReport::parse(&long).unwrap();
        let text = report.findings.first().map(|finding| finding.text.clone()).unwrap();
        assert_eq!(text.chars().count(), FINDING_CHARACTERS + 1);
        assert!(text.starts_with("MUST X é") && text.ends_with('…'), "{text}");
    }

    /// Texts that are made of what reports are made of.
    fn reports() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            prop::sample::select(vec![
                "RESULT:",
                " PASS",
                " FAIL",
                "MUST ",
                "Should",
                "could:",
                "\n",
                "\r\n",
                "\u{2028}",
                "```\n",
                "- ",
                "## ",
                "**",
                "[",
                "]",
                "none",
                " X_Y a",
                "|",
                "1. ",
                "Not checked",
                "0",
                " é",
            ])
            .prop_map(str::to_owned),
            any::<String>(),
        ];
        prop::collection::vec(pieces, 0..24)
            .prop_map(|pieces| format!("RESULT:{}", pieces.concat()))
    }

    proptest! {
        #[test]
        fn nothing_passes_above_a_finding_that_counts(text in reports()) {
            let Ok(report) = ReviewReport::parse(&text) else { return Ok(()) };
            let counts = |finding: &Finding| LATE.contains(&finding.severity);
            match report.judge(&LATE) {
                Ok(Judgement { passes: true, open, .. }) => {
                    prop_assert!(open.is_empty());
                    prop_assert!(!report.findings.iter().any(counts));
                }
                Ok(Judgement { passes: false, .. }) => prop_assert!(!report.passes),
                Err(error) => {
                    prop_assert!(report.passes && report.findings.iter().any(counts));
                    prop_assert!(!error.hint().is_empty());
                }
            }
        }
    }
}
