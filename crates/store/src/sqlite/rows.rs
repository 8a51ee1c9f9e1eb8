//! Between columns and types.
//!
//! A query names its columns, and a row is read from left to right in that order: looking columns
//! up by name took a fifth of a whole `task list`. A value that its type refuses was not written by
//! us.

use pacenote_model::Moment;
use rusqlite::{
    Row, ToSql,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef},
};
use uuid::Uuid;

use crate::error::Fault;

/// A UUID column.
pub(super) struct Id(pub(super) Uuid);

impl ToSql for Id {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(self.0.as_bytes())))
    }
}

impl FromSql for Id {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes: [u8; 16] = value.as_blob()?.try_into().map_err(|_| FromSqlError::InvalidType)?;
        Ok(Self(Uuid::from_bytes(bytes)))
    }
}

/// The cells of a row, read from left to right.
pub(super) struct Cells<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl<'a> Cells<'a> {
    pub(super) const fn of(row: &'a Row<'a>) -> Self {
        Self { row, next: 0 }
    }

    /// Reads a value that needs no rules of its own.
    pub(super) fn value<T: FromSql>(&mut self) -> Result<T, Fault> {
        let at = self.step();
        Ok(self.row.get(at)?)
    }

    /// Reads an id.
    pub(super) fn id<T>(&mut self, make: fn(Uuid) -> T) -> Result<T, Fault> {
        let Id(uuid) = self.value()?;
        Ok(make(uuid))
    }

    /// Reads an id or nothing.
    pub(super) fn id_if_any<T>(&mut self, make: fn(Uuid) -> T) -> Result<Option<T>, Fault> {
        let uuid: Option<Id> = self.value()?;
        Ok(uuid.map(|Id(uuid)| make(uuid)))
    }

    /// Reads a text into its type; `what` is named when the text breaks its rules.
    pub(super) fn text<T, E>(
        &mut self,
        what: &'static str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, Fault> {
        self.text_if_any(what, parse)?.ok_or(Fault::Odd(what))
    }

    /// Reads a text into its type, or nothing.
    pub(super) fn text_if_any<T, E>(
        &mut self,
        what: &'static str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Fault> {
        let at = self.step();
        let text = self.row.get_ref(at)?.as_str_or_null().map_err(|_| Fault::Odd(what))?;
        text.map(|text| parse(text).map_err(|_| Fault::Odd(what))).transpose()
    }

    /// Reads one of a few words.
    pub(super) fn word<T>(
        &mut self,
        what: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        self.text(what, |text| parse(text).ok_or(()))
    }

    /// Reads a moment.
    pub(super) fn moment(&mut self) -> Result<Moment, Fault> {
        Ok(Moment::from_millis(self.value()?))
    }

    /// Reads a moment or nothing.
    pub(super) fn moment_if_any(&mut self) -> Result<Option<Moment>, Fault> {
        let millis: Option<i64> = self.value()?;
        Ok(millis.map(Moment::from_millis))
    }

    const fn step(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}

/// Reads every row of a query through `read`.
pub(super) fn collect<T>(
    mut rows: rusqlite::Rows<'_>,
    read: impl Fn(&mut Cells<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(&mut Cells::of(row))?);
    }
    Ok(all)
}

/// Reads the one column of a query.
pub(super) fn column<T: FromSql>(mut rows: rusqlite::Rows<'_>) -> Result<Vec<T>, Fault> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(row.get(0)?);
    }
    Ok(all)
}

/// Reads the first row of a query through `read`.
pub(super) fn first<T>(
    mut rows: rusqlite::Rows<'_>,
    read: impl Fn(&mut Cells<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    rows.next()?.map(|row| read(&mut Cells::of(row))).transpose()
}
