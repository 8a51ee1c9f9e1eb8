//! Lifecycle rules: at which moment what is told, noted or refused.
//!
//! [`check()`] finds everything that is wrong, [`read()`] makes a layer of a file, [`merge`] makes rules of layers, [`weigh()`] says which of
//! them apply to a moment, and [`refusal`] whether one of them refuses a tool.

mod check;
mod condition;
mod default;
mod facts;
mod format;
mod merge;
mod read;
mod rules;
mod schema;
pub mod shell;
mod template;
mod weigh;

pub use crate::problem::Problem;
pub use check::{CheckedRules, RulesText, check};
pub use condition::{CONDITION_BYTES, Condition, ConditionError};
pub use default::{BUILT_IN_TEXT, built_in, built_in_layer, is_built_in_at};
pub use facts::{Facts, SessionFacts, TaskFacts, ToolFacts};
pub use merge::merge;
pub use read::{LayerRules, RULES, Switch, TEXT_BYTES, read};
pub use rules::{
    Action, BlockTools, Format, InjectContext, Layer, Rule, Rules, Source, ToolRule, Value, fits,
    means_tool, mentions_tool_gate,
};
pub use schema::schema;
pub use template::{OUTPUT_BYTES, TEMPLATE_BYTES, TemplateError, names_in, render};
pub use weigh::{Applied, Broken, Refused, Weighed, applies, refusal, weigh};
