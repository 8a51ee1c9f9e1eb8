//! One settings file as a flat list of dotted keys with their lines, in the order of the file.

use toml::de::{DeTable, DeValue};

use super::setting::{Given, setting_named};

/// Most syntax errors reported for one file: what follows the first few is their consequence.
const SYNTAX_ERRORS: usize = 10;

/// One value of a file.
pub(super) struct FileValue<'text> {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) given: Given<'text>,
}

/// One place where a file is not TOML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Returns every value of a file, or every mistake; a file with mistakes decides nothing.
pub(super) fn values_in(text: &str) -> Result<Vec<FileValue<'_>>, Vec<Mistake>> {
    let lines = LineIndex::of(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let mut values = Vec::new();
        collect(&lines, "", table.into_inner(), &mut values);
        values.sort_by_key(|value| value.line);
        return Ok(values);
    }
    let mistake = |error: toml::de::Error| Mistake {
        line: lines.line_at(error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    };
    let mut mistakes: Vec<_> = errors.into_iter().map(mistake).collect();
    mistakes.sort_by_key(|mistake| mistake.line);
    mistakes.truncate(SYNTAX_ERRORS);
    Err(mistakes)
}

/// Flattens tables; the parser bounds how deep they are nested.
fn collect<'text>(
    lines: &LineIndex,
    prefix: &str,
    table: DeTable<'text>,
    values: &mut Vec<FileValue<'text>>,
) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        let line = lines.line_at(name.span().start);
        match value.into_inner() {
            // A table is looked into, unless it stands where a value belongs or holds nothing.
            DeValue::Table(inner) if !inner.is_empty() && setting_named(&key).is_none() => {
                collect(lines, &format!("{key}."), inner, values);
            }
            given @ (DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_)) => values.push(FileValue { key, line, given: Given::Toml(given) }),
        }
    }
}

/// Where the lines of a text end, so that thousands of keys do not count them thousands of times.
struct LineIndex(Vec<usize>);

impl LineIndex {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(offset, _)| offset).collect())
    }

    /// Returns the line that an offset is in, counted from 1.
    fn line_at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_in_the_line_that_it_ends_or_stands_in() {
        let lines = LineIndex::of("ab\n\ncd");
        let table = [(0, 1), (2, 1), (3, 2), (4, 3), (6, 3), (99, 3)];
        for (offset, line) in table {
            assert_eq!(lines.line_at(offset), line, "{offset}");
        }
    }
}
