//! Values as they were found. Whoever asks for something that is not there, or is of another
//! kind, gets nothing: that it is wrong was told when it was held against the tables.

use super::{Entry, Node, Raw};
use crate::workflow::{
    definition::{StepId, Target},
    format::END,
};

impl Node {
    /// Returns the value of a key; of the first, where it is repeated.
    pub(super) fn key(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// Returns the keys of a map with their values.
    pub(super) fn entries(&self) -> &[Entry] {
        if let Raw::Map(entries) = &self.raw { entries } else { &[] }
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> &[Self] {
        if let Raw::List(items) = &self.raw { items } else { &[] }
    }

    /// Returns a text.
    pub(super) fn text(&self) -> Option<&str> {
        if let Raw::Text(text) = &self.raw { Some(text) } else { None }
    }

    /// Returns the text of a key, or an empty one.
    pub(super) fn text_of(&self, key: &str) -> String {
        self.key(key).and_then(Self::text).unwrap_or_default().to_owned()
    }

    /// Returns the name of a step.
    pub(super) fn step_id(&self) -> Option<StepId> {
        self.text().map(|name| StepId(name.to_owned()))
    }

    /// Returns where a way leads.
    pub(super) fn target(&self) -> Option<Target> {
        let id = self.step_id()?;
        Some(if id.as_str() == END { Target::End } else { Target::Step(id) })
    }

    /// Returns the texts of a list, or those of words with commas.
    pub(super) fn words(&self) -> Vec<String> {
        let of_text = self.text().into_iter().flat_map(|text| text.split(','));
        let of_list = self.items().iter().filter_map(Self::text);
        of_text.chain(of_list).map(|word| word.trim().to_owned()).collect()
    }

    /// Returns the texts of a key's list.
    pub(super) fn texts_of(&self, key: &str) -> Vec<String> {
        self.key(key).map(Self::texts).unwrap_or_default()
    }

    /// Returns the texts of a list.
    pub(super) fn texts(&self) -> Vec<String> {
        self.items().iter().filter_map(Self::text).map(str::to_owned).collect()
    }

    /// Returns a condition as it was written; `when: true` is one too.
    pub(super) fn condition(&self) -> Option<String> {
        match &self.raw {
            Raw::Text(text) => Some(text.clone()),
            Raw::Bool(truth) => Some(truth.to_string()),
            Raw::Null | Raw::Whole(_) | Raw::Fraction(_) | Raw::List(_) | Raw::Map(_) => None,
        }
    }

    /// Returns a yes or no.
    pub(super) const fn flag(&self) -> Option<bool> {
        if let Raw::Bool(flag) = self.raw { Some(flag) } else { None }
    }

    /// Returns a whole number.
    pub(super) fn whole(&self) -> Option<i64> {
        if let Raw::Whole(number) = self.raw { i64::try_from(number).ok() } else { None }
    }

    /// Returns a count.
    pub(super) fn count(&self) -> Option<u32> {
        self.whole().and_then(|number| u32::try_from(number).ok())
    }

    /// Returns a version as a text.
    pub(super) fn version(&self) -> Option<String> {
        match &self.raw {
            Raw::Text(text) => Some(text.clone()),
            Raw::Whole(number) => Some(number.to_string()),
            // With its point: `1.0` is not `1`.
            Raw::Fraction(number) => Some(format!("{number:?}")),
            Raw::Null | Raw::Bool(_) | Raw::List(_) | Raw::Map(_) => None,
        }
    }

    /// Returns a value as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.raw {
            Raw::Null => Value::Null,
            Raw::Bool(truth) => Value::Bool(*truth),
            Raw::Whole(number) => {
                let small = i64::try_from(*number).map(Value::from);
                small.or_else(|_| u64::try_from(*number).map(Value::from)).unwrap_or_default()
            }
            Raw::Fraction(number) => Value::from(*number),
            Raw::Text(text) => Value::String(text.clone()),
            Raw::List(items) => Value::Array(items.iter().map(Self::json).collect()),
            Raw::Map(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), entry.value.json())).collect()
            }
        }
    }
}
