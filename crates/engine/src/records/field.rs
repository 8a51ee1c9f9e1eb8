//! One field of a JSON object, found without parsing the rest.
//!
//! A hook looks at a thousand lines of its session's log and needs a few of them whole. Which, a
//! field or two decide; parsing every line for that would cost more than everything else it does.

/// Returns the value of a key at the top level of an object, as it is written there. What is not an
/// object, and a key that is written with escapes, is not found.
pub(super) fn value_of<'t>(object: &'t str, key: &str) -> Option<&'t str> {
    let mut rest = object.trim_start().strip_prefix('{')?;
    loop {
        rest = rest.trim_start().trim_start_matches(',').trim_start();
        let (name, behind) = rest.split_at_checked(string_bytes(rest)?)?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        let (value, behind) = value.split_at_checked(value_bytes(value)?)?;
        if name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) == Some(key) {
            return Some(value);
        }
        rest = behind;
    }
}

/// Returns how long the string is at the beginning of a text, with its quotes.
fn string_bytes(text: &str) -> Option<usize> {
    let mut at = text.strip_prefix('"').map(|_| 1)?;
    loop {
        let rest = text.get(at..)?;
        let next = rest.find(['"', '\\'])?;
        if rest.get(next..)?.starts_with('"') {
            return Some(at + next + 1);
        }
        // Whatever is escaped is one character, and none that ends the string.
        let escaped = rest.get(next + 1..)?.chars().next()?;
        at += next + 1 + escaped.len_utf8();
    }
}

/// Returns how long the value is at the beginning of a text.
fn value_bytes(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let next = rest.find(['"', '{', '[', '}', ']', ','])?;
        at += next;
        match rest.get(next..)?.chars().next()? {
            '"' => {
                at += string_bytes(text.get(at..)?)?;
                if depth == 0 {
                    return Some(at);
                }
                continue;
            }
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => return Some(at + 1),
            '}' | ']' | ',' if depth == 0 => {
                let value = text.get(..at)?.trim_end();
                return (!value.is_empty()).then_some(value.len());
            }
            '}' | ']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::*;

    #[test]
    fn a_field_is_found_wherever_it_stands() {
        let table = [
            (r#"{"kind":"seen","begins":true}"#, "begins", Some("true")),
            (r#"{"begins" : true , "kind":"seen"}"#, "kind", Some(r#""seen""#)),
            (r#"{"text":"\"kind\":\"seen\"","kind":"text"}"#, "kind", Some(r#""text""#)),
            (r#"{"from":{"kind":"no","list":["]","}"]},"kind":"yes"}"#, "kind", Some(r#""yes""#)),
            (r#"{"a":[],"kind":7}"#, "kind", Some("7")),
            (r#"{"kind":"cut"#, "kind", None),
            (r#"["kind"]"#, "kind", None),
            ("", "kind", None),
            ("{}", "kind", None),
        ];
        for (object, key, expected) in table {
            assert_eq!(value_of(object, key), expected, "{object}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_a_parser_finds(
            fields in prop::collection::btree_map("[a-c]{1,2}", value(), 0..6),
            key in "[a-c]{1,2}",
        ) {
            let object: Map<String, Value> = fields.into_iter().collect();
            for text in [
                serde_json::to_string(&object).unwrap(),
                serde_json::to_string_pretty(&object).unwrap(),
            ] {
                let found = value_of(&text, &key).map(|raw| serde_json::from_str(raw).unwrap());
                prop_assert_eq!(found.as_ref(), object.get(&key));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in r#"[\x20-\x7f"\\{}\[\],:é]{0,40}"#) {
            value_of(&text, "a");
        }
    }
}
