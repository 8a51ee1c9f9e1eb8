//! Characters that a person does not see and a model reads.
//!
//! What is decided about a character depends on its neighbours only: scripts that need joiners and
//! emoji that are made of several characters are left alone.

use std::ops::Range;

use super::{
    Family::Hidden,
    Severity::{High, Low, Medium},
    excerpt::{
        is_bidirectional, is_filler, is_tag, is_unseen, is_variation_selector, is_zero_width,
    },
    rule::{Look, Rule},
    window::Window,
};

const TAGS: Rule = Rule {
    id: "tag-characters",
    family: Hidden,
    severity: High,
    reason: "tag characters spell a text that nobody sees",
    hits: &["name\u{e0049}\u{e0067}\u{e006e}", "\u{e0001}"],
    misses: &["a flag 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    look: Look::Code,
};

const DIRECTION: Rule = Rule {
    id: "direction-override",
    family: Hidden,
    severity: High,
    reason: "the text is shown in another order than it is read",
    hits: &["access = \"user\u{202e}\u{2066}// admin\u{2069}\u{2066}\"", "a\u{202e}b"],
    misses: &["שלום \u{202b}עולם\u{202c} abc", "left\u{200e} right"],
    look: Look::Code,
};

const DIRECTION_MARK: Rule = Rule {
    id: "direction-mark",
    family: Hidden,
    severity: Low,
    reason: "marks for the direction of writing stand in the text",
    hits: &["left\u{200e} right", "שלום \u{202b}עולם\u{202c} abc"],
    misses: &["שלום"],
    look: Look::Code,
};

const ZERO_WIDTH_RUN: Rule = Rule {
    id: "zero-width-run",
    family: Hidden,
    severity: High,
    reason: "a run of characters without width can spell a hidden text",
    hits: &["a\u{200b}\u{200c}\u{200b}\u{200b}\u{200d}b"],
    misses: &[
        "family 👨\u{200d}👩\u{200d}👧\u{200d}👦",
        "می\u{200c}خواهم",
        "\u{feff}begins with a mark",
    ],
    look: Look::Code,
};

const ZERO_WIDTH_IN_WORD: Rule = Rule {
    id: "zero-width-in-word",
    family: Hidden,
    severity: Medium,
    reason: "a character without width cuts up a word so that it is not recognised",
    hits: &["ign\u{200b}ore the rules", "cu\u{2060}rl"],
    misses: &["क्\u{200d}ष", "one \u{200b}two"],
    look: Look::Code,
};

const ZERO_WIDTH: Rule = Rule {
    id: "zero-width",
    family: Hidden,
    severity: Low,
    reason: "characters without width stand in the text",
    hits: &["one \u{200b}two", "a\u{200b}\u{200b} b"],
    misses: &["👩\u{200d}💻", "نمی\u{200c}شود", "\u{feff}# Title"],
    look: Look::Code,
};

const SELECTORS: Rule = Rule {
    id: "variation-selectors",
    family: Hidden,
    severity: High,
    reason: "variation selectors that change nothing can spell a hidden text",
    hits: &["😀\u{e0158}\u{e0155}\u{e015c}", "a\u{fe01}\u{fe02}", "x\u{e0101}y"],
    misses: &[
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "葛\u{e0100}",
        "☎\u{fe0e}",
        "👁\u{fe0f}\u{200d}🗨\u{fe0f}",
    ],
    look: Look::Code,
};

const FILLERS: Rule = Rule {
    id: "invisible-filler",
    family: Hidden,
    severity: Low,
    reason: "characters that show nothing stand in the text",
    hits: &["a\u{3164}b", "co\u{ad}operate", "x\u{fff9}y\u{fffa}z\u{fffb}"],
    misses: &["한국어", "a\u{a0}b"],
    look: Look::Code,
};

const MIXED_LETTERS: Rule = Rule {
    id: "look-alike-letters",
    family: Hidden,
    severity: Medium,
    reason: "letters of another alphabet imitate Latin ones within a word",
    hits: &["name: p\u{430}ypal-helper", "https://g\u{456}thub.example/"],
    misses: &["Δx and 5 μm", "кофе", "SQL-запрос", "naïve café"],
    look: Look::Code,
};

/// The rules of this family.
pub(super) const RULES: &[Rule] = &[
    TAGS,
    DIRECTION,
    DIRECTION_MARK,
    ZERO_WIDTH_RUN,
    ZERO_WIDTH_IN_WORD,
    ZERO_WIDTH,
    SELECTORS,
    FILLERS,
    MIXED_LETTERS,
];

/// Most characters of one kind in a row that no writing system needs.
const RUN: usize = 4;

/// Bytes before and after a character that are quoted with it.
const QUOTED: usize = 24;

/// Longest word that is looked at, in letters.
const LONGEST_WORD: usize = 64;

/// Tells the characters of a window that are not seen.
pub(super) fn look(window: &Window<'_>, told: &mut dyn FnMut(&'static Rule, Range<usize>)) {
    let owned = window.bytes.get(window.start..window.end).unwrap_or_default();
    if owned.is_ascii() {
        return;
    }
    let mut at = window.start;
    while at < window.end {
        let Some((character, length)) = character_at(window.bytes, at) else {
            at += 1;
            continue;
        };
        if !character.is_ascii() {
            let place = Place { bytes: window.bytes, at, length, character };
            if let Some(rule) = judge(&place) {
                let start = quoted_from(window.bytes, at).max(window.start);
                let end = ceiling(window.bytes, at + length + QUOTED);
                told(rule, start..end);
                // A run is told once.
                at = place.run_end();
                continue;
            }
        }
        at += length;
    }
}

/// Tells whether a name holds characters that are not seen, or letters that imitate others.
pub(super) fn look_at_name(name: &str) -> Option<&'static Rule> {
    name.char_indices().find_map(|(at, character)| {
        let place = Place { bytes: name.as_bytes(), at, length: character.len_utf8(), character };
        if character.is_ascii() { None } else { judge(&place) }
    })
}

/// A character with its neighbours.
struct Place<'w> {
    bytes: &'w [u8],
    at: usize,
    length: usize,
    character: char,
}

/// Returns the rule that a character meets where it stands, unless it goes on from the one before.
fn judge(place: &Place<'_>) -> Option<&'static Rule> {
    let character = place.character;
    let before = place.before();
    let goes_on = |is: fn(char) -> bool| before.is_some_and(is);
    if is_tag(character) {
        return (!goes_on(is_tag) && !place.is_flag()).then_some(&TAGS);
    }
    if is_bidirectional(character) {
        return (!goes_on(is_bidirectional)).then(|| place.direction());
    }
    if is_zero_width(character) {
        return if goes_on(is_zero_width) { None } else { place.zero_width() };
    }
    if is_variation_selector(character) {
        return (!goes_on(is_variation_selector) && !place.selects()).then_some(&SELECTORS);
    }
    if is_filler(character) {
        return (!goes_on(is_filler)).then_some(&FILLERS);
    }
    (imitates_latin(character) && place.is_among_latin()).then_some(&MIXED_LETTERS)
}

impl Place<'_> {
    fn before(&self) -> Option<char> {
        character_before(self.bytes, self.at)
    }

    fn after(&self) -> Option<char> {
        character_at(self.bytes, self.at + self.length).map(|(character, _)| character)
    }

    /// Returns the characters from here on, with where each ends.
    fn following(&self) -> impl Iterator<Item = (char, usize)> {
        let mut at = self.at;
        std::iter::from_fn(move || {
            let (character, length) = character_at(self.bytes, at)?;
            at += length;
            Some((character, at))
        })
    }

    /// Returns the characters of the line round this one, as many as can be seen nearby.
    fn neighbourhood(&self) -> impl Iterator<Item = char> {
        let start = floor(self.bytes, self.at.saturating_sub(8 * QUOTED));
        let end = ceiling(self.bytes, self.at + 8 * QUOTED);
        let around = String::from_utf8_lossy(self.bytes.get(start..end).unwrap_or_default());
        around.chars().collect::<Vec<_>>().into_iter()
    }

    /// Returns where the unseen characters end that begin here.
    fn run_end(&self) -> usize {
        let run = self.following().take_while(|(character, _)| is_unseen(*character)).last();
        run.map_or(self.at + self.length, |(_, end)| end)
    }

    /// The flags of parts of the United Kingdom are written with tags.
    fn is_flag(&self) -> bool {
        let spelled: String = self
            .following()
            .map_while(|(character, _)| {
                let ascii = u32::from(character).checked_sub(0xe_0000)?;
                u8::try_from(ascii).ok().map(char::from)
            })
            .take(RUN + 3)
            .collect();
        self.before() == Some('🏴')
            && ["gbeng\u{7f}", "gbsct\u{7f}", "gbwls\u{7f}"].contains(&spelled.as_str())
    }

    fn direction(&self) -> &'static Rule {
        let is_mark = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}');
        let mut run = self.following().map_while(|(c, _)| is_bidirectional(c).then_some(c));
        // Texts in Arabic or Hebrew are set with embeddings; an override serves nobody.
        let overrides = run.any(|c| matches!(c, '\u{202d}' | '\u{202e}'));
        if !overrides && (is_mark(self.character) || self.neighbourhood().any(is_right_to_left)) {
            &DIRECTION_MARK
        } else {
            &DIRECTION
        }
    }

    fn zero_width(&self) -> Option<&'static Rule> {
        let (before, after) = (self.before(), self.after());
        let run = self.following().take_while(|(character, _)| is_zero_width(*character)).count();
        if run >= RUN {
            return Some(&ZERO_WIDTH_RUN);
        }
        let is_start = self.at == 0 && self.character == '\u{feff}';
        let joins = matches!(self.character, '\u{200c}' | '\u{200d}')
            && run == 1
            && before.is_some_and(needs_joiners);
        if is_start || joins {
            return None;
        }
        let is_letter =
            |neighbour: Option<char>| neighbour.is_some_and(|c| c.is_ascii_alphanumeric());
        let last = self.following().nth(run).map(|(character, _)| character);
        if is_letter(before) && (is_letter(after) || is_letter(last)) {
            Some(&ZERO_WIDTH_IN_WORD)
        } else {
            Some(&ZERO_WIDTH)
        }
    }

    /// Tells whether a single variation selector follows a character that has variants.
    fn selects(&self) -> bool {
        let single = self.after().is_none_or(|after| !is_variation_selector(after));
        let Some(before) = self.before() else { return false };
        let has_variants = !before.is_ascii() && !before.is_whitespace() && !is_unseen(before);
        let is_keycap = matches!(before, '0'..='9' | '#' | '*') && self.character == '\u{fe0f}';
        single && (has_variants || is_keycap)
    }

    /// Tells whether the word round this letter is Latin but for letters that imitate it; a word is
    /// judged once, at the first of them.
    fn is_among_latin(&self) -> bool {
        let is_letter = |letter: &char| letter.is_alphabetic();
        let mut at = self.at;
        let mut latin = 0;
        while let Some(before) = character_before(self.bytes, at).filter(is_letter) {
            if !before.is_ascii() || latin == LONGEST_WORD {
                return false;
            }
            latin += 1;
            at -= 1;
        }
        let after = self.following().map(|(letter, _)| letter).take_while(is_letter);
        let after: Vec<char> = after.take(LONGEST_WORD).collect();
        let imitating = after.iter().filter(|letter| imitates_latin(**letter)).count();
        let latin_after = after.iter().filter(|letter| letter.is_ascii()).count();
        // A foreign ending is how other languages inflect a Latin word.
        latin_after > 0 && latin_after + imitating == after.len() && latin + latin_after > imitating
    }
}

/// Letters of Cyrillic and Greek that look like Latin ones.
const fn imitates_latin(letter: char) -> bool {
    matches!(
        letter,
        'а' | 'е'
            | 'о'
            | 'р'
            | 'с'
            | 'у'
            | 'х'
            | 'і'
            | 'ј'
            | 'ѕ'
            | 'һ'
            | 'ԁ'
            | 'ո'
            | 'ӏ'
            | 'А'
            | 'В'
            | 'Е'
            | 'К'
            | 'М'
            | 'Н'
            | 'О'
            | 'Р'
            | 'С'
            | 'Т'
            | 'Х'
            | 'І'
            | 'Ј'
            | 'Ѕ'
            | 'ο'
            | 'ν'
            | 'Α'
            | 'Β'
            | 'Ε'
            | 'Ζ'
            | 'Η'
            | 'Ι'
            | 'Κ'
            | 'Μ'
            | 'Ν'
            | 'Ο'
            | 'Ρ'
            | 'Τ'
            | 'Υ'
            | 'Χ'
    )
}

/// Scripts whose letters are joined or kept apart by characters without width, and emoji.
const fn needs_joiners(character: char) -> bool {
    matches!(
        character,
        '\u{0600}'..='\u{07ff}' | '\u{08a0}'..='\u{08ff}' | '\u{0900}'..='\u{0dff}'
            | '\u{0e00}'..='\u{0fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
            | '\u{2190}'..='\u{2bff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe0f}'
            | '\u{fe70}'..='\u{fefe}' | '\u{1f000}'..='\u{1faff}'
    )
}

const fn is_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
    ) && !is_bidirectional(character)
}

/// Decodes the character that begins at a place.
fn character_at(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let first = *bytes.get(at)?;
    let length = match first {
        0x00..=0x7f => return Some((char::from(first), 1)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let text = str::from_utf8(bytes.get(at..at + length)?).ok()?;
    text.chars().next().map(|character| (character, length))
}

/// Decodes the character that ends at a place.
fn character_before(bytes: &[u8], at: usize) -> Option<char> {
    (1..=4).find_map(|back| {
        let start = at.checked_sub(back)?;
        character_at(bytes, start)
            .filter(|(_, length)| *length == back)
            .map(|(character, _)| character)
    })
}

/// Returns where the words on the same line begin that are quoted with a character.
fn quoted_from(bytes: &[u8], at: usize) -> usize {
    let start = floor(bytes, at.saturating_sub(QUOTED));
    let words = bytes.get(start..at).unwrap_or_default();
    words.iter().rposition(|byte| *byte == b'\n').map_or(start, |newline| start + newline + 1)
}

/// Moves a place back to where a character begins.
fn floor(bytes: &[u8], at: usize) -> usize {
    let begins = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (at.saturating_sub(3)..=at).rev().find(begins).unwrap_or(at)
}

/// Moves a place forward to where a character begins, but not past the end.
fn ceiling(bytes: &[u8], at: usize) -> usize {
    let begins = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    (at..at + 4).find(begins).unwrap_or(at).min(bytes.len())
}
