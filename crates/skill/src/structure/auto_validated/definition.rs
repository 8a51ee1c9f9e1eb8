//! One pattern as a table, a list or a sentence defines it.

use super::super::{
    block::{Block, Shape, TABLE_ROWS, Table},
    file::FileReference,
    remark::Tally,
    severity::unmarked,
    text::{BLOCK_BYTES, Code, Text, line, words},
};

/// Longest name of a pattern, in bytes.
const ID_BYTES: usize = 100;

/// Most words of a description that a name is made of.
const ID_WORDS: usize = 5;

/// A pattern as it was found, before its expression is tried.
pub(super) struct Found {
    pub(super) id: String,
    pub(super) expression: Option<Expression>,
    pub(super) description: String,
    pub(super) line: usize,
    /// The file it was found in, among those that were followed.
    pub(super) file: Option<FileReference>,
}

/// What stands for the expression.
pub(super) enum Expression {
    Whole(String),
    /// The cell was too long to be kept; these were the bytes that were.
    Cut(usize),
}

/// Reads the patterns that one block of a section about them gives.
pub(super) fn in_block(block: &Block, tally: &mut Tally<'_>) -> Vec<Found> {
    match &block.shape {
        Shape::Table(table) => in_table(table, block.line, tally),
        Shape::Item { .. } => match in_item(&block.text, block.line) {
            Some(found) => vec![found],
            None => enumerated(&block.text, block.line),
        },
        Shape::Paragraph { .. } => enumerated(&block.text, block.line),
        Shape::Heading(_) => Vec::new(),
    }
}

/// Which column is what.
pub(super) struct Columns {
    id: usize,
    expression: Option<usize>,
    description: Option<usize>,
}

/// Finds the columns by their headings; none when the table has no column of patterns.
pub(super) fn columns(table: &Table) -> Option<Columns> {
    let titles: Vec<_> = table.header.iter().map(|cell| words(cell.as_str())).collect();
    let find = |phrases: &[&str]| {
        let among = |title: &String| phrases.iter().any(|phrase| title.contains(phrase));
        titles.iter().position(among)
    };
    let pattern = find(&[" pattern "]);
    let regex = find(&[" regex ", " regexp ", " regular expression ", " expression "]);
    let named = find(&[" id ", " pattern name ", " name ", " pattern id ", " rule "]);
    let (id, expression) = match (named, pattern, regex) {
        (Some(id), _, Some(regex)) => (id, Some(regex)),
        (Some(id), Some(pattern), None) if id != pattern => (id, Some(pattern)),
        (Some(id), Some(_), None) => (id, None),
        (None, Some(pattern), regex) => (pattern, regex),
        (None, None, Some(regex)) => (regex, Some(regex)),
        (_, None, None) => return None,
    };
    let description = find(&[" description ", " meaning ", " detects ", " what ", " finds "]);
    let others =
        || (0..titles.len()).rev().find(|column| ![Some(id), expression].contains(&Some(*column)));
    Some(Columns { id, expression, description: description.or_else(others) })
}

/// Reads a table row by row.
pub(super) fn in_table(table: &Table, line: usize, tally: &mut Tally<'_>) -> Vec<Found> {
    if table.is_cut {
        tally.too_many("rows in one table", TABLE_ROWS, line);
    }
    let columns =
        columns(table).unwrap_or(Columns { id: 0, expression: None, description: Some(1) });
    let rows = table.rows.iter().filter_map(|row| {
        let text = |column: Option<usize>| column.and_then(|column| row.cells.get(column));
        let description = text(columns.description).map_or("", Text::as_str);
        let first = row.cells.get(columns.id)?;
        let mut expression = text(columns.expression).and_then(expression);
        let name = first.code().next().unwrap_or_else(|| first.as_str());
        let id = if is_id(name) && columns.expression != Some(columns.id) {
            name.to_owned()
        } else {
            // A table without names: the expression stands where the name would be.
            expression = expression.or_else(|| self::expression(first));
            derived_id(description)
        };
        let description = self::line(description);
        (!id.is_empty()).then_some(Found {
            id,
            expression,
            description,
            line: row.line,
            file: None,
        })
    });
    rows.collect()
}

/// Reads the expression in a cell, where there is one.
fn expression(cell: &Text) -> Option<Expression> {
    if cell.is_cut() {
        return Some(Expression::Cut(BLOCK_BYTES));
    }
    let plain = cell.as_str();
    let lower = plain.to_lowercase();
    if matches!(plain, "-" | "–" | "—") || lower.starts_with("n/a") || lower.starts_with("none")
    {
        return None;
    }
    let is_expression = |text: &&str| text.contains(|c: char| r"\[(^$.*+?|{".contains(c));
    let text = cell.code().next().or_else(|| Some(plain).filter(is_expression))?;
    (!text.trim().is_empty()).then(|| Expression::Whole(text.to_owned()))
}

/// Reads `` `id` — `expression` — description ``, with or without the expression and with tags.
pub(super) fn in_item(text: &Text, line: usize) -> Option<Found> {
    let mut code = text.around_code().into_iter();
    let (id, rest) = match text.lead() {
        Some((lead, rest)) if is_id(lead.trim_matches(['`', ':'])) => {
            code.by_ref().take(usize::from(lead.contains('`'))).for_each(drop);
            (lead.trim_matches(['`', ':']), rest)
        }
        Some(_) | None => {
            let id = code.next().filter(|id| id.before.trim().is_empty() && is_id(id.text))?;
            (id.text, id.after)
        }
    };
    // Code right behind the name is its expression; code among words belongs to the description.
    let is_separator =
        |c: char| c.is_whitespace() || matches!(c, '—' | '–' | '-' | ':' | '=' | '→' | '|' | '(');
    let written = code
        .next()
        .filter(|code| !code.before.trim().is_empty() && code.before.chars().all(is_separator));
    let rest = written.map_or(rest, |code| code.after);
    let expression = written.map(|code| Expression::Whole(code.text.to_owned()));
    // An enumeration of names is no name with a description.
    if expression.is_none() && rest.trim_start().starts_with(',') {
        return None;
    }
    let description = self::line(&tagged(unmarked(rest.trim_start_matches([')', ' ']))));
    Some(Found { id: id.to_owned(), expression, description, line, file: None })
}

/// Moves tags such as `[Bugs/Major] [Rust]` from the beginning of a description to its end.
fn tagged(text: &str) -> String {
    let mut rest = text;
    let mut tags = Vec::new();
    while let Some((tag, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        tags.push(format!(" [{tag}]"));
        rest = unmarked(after);
    }
    format!("{rest}{}", tags.concat()).trim().to_owned()
}

/// Reads "Debt patterns: `one`, `two` and `three`": names that are defined elsewhere.
fn enumerated(text: &Text, line: usize) -> Vec<Found> {
    let code = text.around_code();
    let is_between = |between: &str| {
        let words = words(between);
        words.trim().is_empty() || matches!(words.trim(), "and" | "or")
    };
    let is_introduced = code.first().is_some_and(|first| first.before.trim_end().ends_with(':'));
    let is_closed = code.last().is_some_and(|last| is_between(last.after));
    let is_list = code.iter().skip(1).all(|code| is_between(code.before)) && is_closed;
    if !is_introduced || !is_list || !code.iter().all(|code| is_id(code.text)) {
        return Vec::new();
    }
    let named = |code: Code<'_>| Found {
        id: code.text.to_owned(),
        expression: None,
        description: String::new(),
        line,
        file: None,
    };
    code.into_iter().map(named).collect()
}

/// Tells whether a text can be the name of a pattern, which a file's name cannot.
fn is_id(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(char::is_alphabetic)
        && characters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && text.len() <= ID_BYTES
}

/// Makes a name from a description: `Hardcoded password` is `hardcoded_password`.
fn derived_id(description: &str) -> String {
    let words = words(description);
    let words: Vec<_> = words.split_whitespace().take(ID_WORDS).collect();
    let id = words.join("_");
    if id.len() <= ID_BYTES { id } else { String::new() }
}
