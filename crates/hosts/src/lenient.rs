//! JSON of which little is read, in one pass over its text.
//!
//! A value of another kind than expected counts as missing. What is not read is walked through and
//! forgotten, never built: a tool may write a file of megabytes. It is walked through all the same,
//! because that bounds its nesting.

mod surrogates;

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// Reads a whole JSON text.
pub(crate) fn read<T: Taken>(json: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(&surrogates::without_halves(json)).map(|Loosely(taken)| taken)
}

/// Something that is taken from a value of the right kind; any other value gives the default.
pub(crate) trait Taken: Default {
    fn from_text(_text: &str) -> Self {
        Self::default()
    }

    fn from_flag(_flag: bool) -> Self {
        Self::default()
    }

    fn from_number() -> Self {
        Self::default()
    }

    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, Loosely<()>>()?.is_some() {}
        Ok(Self::default())
    }

    fn from_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Loosely<()>>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Says which fields of an object are taken, and into what.
macro_rules! taken {
    ($taken:ty { $($name:literal: $($field:ident).+),+ $(,)? }) => {
        impl $crate::lenient::Taken for $taken {
            $crate::lenient::fields! { $($name: $($field).+),+ }
        }
    };
}

/// Writes `from_object` for a list of fields.
macro_rules! fields {
    ($($name:literal: $($field:ident).+),+) => {
        fn from_object<'de, A>(mut object: A) -> Result<Self, A::Error>
        where
            A: serde::de::MapAccess<'de>,
        {
            let mut taken = Self::default();
            while let Some(key) = object.next_key::<String>()? {
                match key.as_str() {
                    $($name => taken.$($field).+ = $crate::lenient::loosely(&mut object)?,)+
                    _ => $crate::lenient::loosely::<(), A>(&mut object)?,
                }
            }
            Ok(taken)
        }
    };
}

pub(crate) use {fields, taken};

impl Taken for () {}

impl Taken for Option<String> {
    fn from_text(text: &str) -> Self {
        Some(text.to_owned())
    }
}

impl Taken for Option<bool> {
    fn from_flag(flag: bool) -> Self {
        Some(flag)
    }
}

/// The first so many things of a list; the others are passed over.
#[derive(Debug)]
pub(crate) struct First<T, const MOST: usize>(pub(crate) Vec<T>);

impl<T: Taken, const MOST: usize> Taken for Option<First<T, MOST>> {
    fn from_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut things = Vec::new();
        while things.len() < MOST {
            match list.next_element()? {
                Some(Loosely(thing)) => things.push(thing),
                None => return Ok(Some(First(things))),
            }
        }
        while list.next_element::<Loosely<()>>()?.is_some() {}
        Ok(Some(First(things)))
    }
}

/// Takes the next value of an object, or passes over it.
pub(crate) fn loosely<'de, T: Taken, A: MapAccess<'de>>(object: &mut A) -> Result<T, A::Error> {
    object.next_value().map(|Loosely(taken)| taken)
}

/// Takes the next value of a list.
pub(crate) fn loosely_next<'de, T: Taken, A: SeqAccess<'de>>(
    list: &mut A,
) -> Result<Option<T>, A::Error> {
    Ok(list.next_element()?.map(|Loosely(taken)| taken))
}

struct Loosely<T>(T);

impl<'de, T: Taken> Deserialize<'de> for Loosely<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not `deserialize_ignored_any`, which counts no depth.
        deserializer.deserialize_any(LooseVisitor(PhantomData)).map(Self)
    }
}

struct LooseVisitor<T>(PhantomData<T>);

impl<'de, T: Taken> Visitor<'de> for LooseVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(text))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        Ok(T::from_flag(flag))
    }

    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::from_number())
    }

    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::from_number())
    }

    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::from_number())
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::from_object(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Basket {
        label: Option<String>,
        open: Option<bool>,
        inner: Inner,
        fruits: Option<First<Option<String>, 2>>,
    }

    #[derive(Debug, Default)]
    struct Inner {
        label: Option<String>,
    }

    taken!(Basket {
        "label": label,
        "open": open,
        "inner": inner,
        "outer_label": inner.label,
        "fruits": fruits,
    });
    taken!(Inner { "label": label });

    fn told(json: &str) -> String {
        match read::<Basket>(json) {
            Ok(Basket { label, open, inner, fruits }) => {
                let fruits = fruits.map(|First(fruits)| fruits);
                format!("{label:?} {open:?} {:?} {fruits:?}", inner.label)
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_of_another_kind_is_missing() {
        for (json, said) in [
            ("{}", "None None None None"),
            (r#"{"label":"a","open":true}"#, r#"Some("a") Some(true) None None"#),
            (r#"{"label":true,"open":"a"}"#, "None None None None"),
            (r#"{"label":["a"],"open":{"open":true}}"#, "None None None None"),
            (r#"{"label":1,"open":-1,"inner":1.5,"fruits":null}"#, "None None None None"),
            (r#"{"inner":{"label":"b","x":[{}]}}"#, r#"None None Some("b") None"#),
            (r#"{"outer_label":"b"}"#, r#"None None Some("b") None"#),
            (r#"{"fruits":[]}"#, "None None None Some([])"),
            (r#"{"fruits":["a",7]}"#, r#"None None None Some([Some("a"), None])"#),
            (r#"{"fruits":["a","b","c",[1]]}"#, r#"None None None Some([Some("a"), Some("b")])"#),
            (r#"{"label":"a","label":"b"}"#, r#"Some("b") None None None"#),
            (r#"["a"]"#, "None None None None"),
            ("7", "None None None None"),
            ("", "EOF while parsing a value at line 1 column 0"),
            ("{} {}", "trailing characters at line 1 column 4"),
        ] {
            assert_eq!(told(json), said, "{json}");
        }
    }
}
