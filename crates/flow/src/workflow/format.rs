//! The format of a workflow's file, as tables: which keys there are and what they take.
//!
//! The reader and the JSON Schema both go by these tables, so a key cannot be in one of them only.

mod shape;

pub(super) use shape::{Field, Naming, Shape, Shelved, Vocabulary, keys};

/// Most steps of one workflow. A person who has to find their place reads no more, and whoever
/// has more has several workflows.
pub const STEPS: usize = 200;

/// Longest name of anything; longer ones do not fit beside what they name.
pub(super) const NAME_BYTES: usize = 64;

/// Longest description of a workflow, which is shown in lists.
pub(super) const DESCRIPTION_BYTES: usize = 1024;

/// Longest title, in characters: one line of a terminal that is not small.
pub(super) const TITLE_CHARACTERS: usize = 120;

/// Longest text that has no gaps, such as an answer or an argument; a paragraph.
pub(super) const SENTENCE_BYTES: usize = 2048;

/// Most items of a list within a step, and most parameters or phases; nobody follows more.
pub(super) const ITEMS: usize = 50;

/// Most agents that work at the same time. A machine that starts more does nothing else.
const AGENTS: usize = 20;

/// Most answers that are offered: what the hosts can show.
const OPTIONS: usize = 4;

/// Most rounds of a step. What was not done after a hundred will not be.
const ROUNDS: i64 = 100;

/// Most rounds of a gate before the person is asked.
const GATE_MOST: i64 = 20;

/// What a number is within unless its parameter says so; nothing that people count is outside.
pub(super) const NUMBERS: (i64, i64) = (-1_000_000, 1_000_000);

/// The word that stands where no step comes any more.
pub(super) const END: &str = "end";

/// The keys of a file.
pub(super) const DOCUMENT: [Field; 7] = [
    required("name", Shape::Name(Naming::Dashed), "What people call the workflow."),
    required("description", Shape::Sentence { most: DESCRIPTION_BYTES }, "What it is for."),
    optional("version", Shape::Version, "Which edition of it this is."),
    optional(
        "params",
        Shape::Named { naming: Naming::Variable, of: &Shape::Map(&PARAM) },
        "What can be chosen at its start, by name.",
    ),
    optional(
        "entry",
        Shape::Reference(Shelved::Step),
        "The step it begins with, if not the first.",
    ),
    optional(
        "phases",
        Shape::Either(&[
            Shape::List { of: &Shape::Map(&PHASE), least: 1, most: ITEMS },
            Shape::Named { naming: Naming::Dashed, of: &Shape::Title },
        ]),
        "Its parts, in order.",
    ),
    required(
        "steps",
        Shape::List { of: &Shape::Map(&STEP), least: 1, most: STEPS },
        "The steps; the first is where it begins, unless `entry` names another.",
    ),
];

/// The keys of a parameter.
pub(super) const PARAM: [Field; 7] = [
    required("type", Shape::Word(Vocabulary::ParamType), "What it may be."),
    optional("description", SENTENCE, "What it decides."),
    optional("default", Shape::Value, "What it is when nobody says."),
    optional("least", Shape::Whole { least: i64::MIN, most: i64::MAX }, "The least, of a number."),
    optional("most", Shape::Whole { least: i64::MIN, most: i64::MAX }, "The most, of a number."),
    optional(
        "choices",
        Shape::List { of: &Shape::Title, least: 1, most: ITEMS },
        "The words, of a choice.",
    ),
    optional("mutable", Shape::Flag, "Whether it may be changed on the way."),
];

const PHASE: [Field; 2] = [
    required("id", Shape::Name(Naming::Dashed), "Its name, by which steps say they belong to it."),
    required("title", Shape::Title, "What people call it."),
];

/// The keys of a step.
pub(super) const STEP: [Field; 16] = [
    required("id", Shape::Name(Naming::Dashed), "Its name, by which other steps lead to it."),
    required("title", Shape::Title, "What people call it."),
    optional("phase", Shape::Reference(Shelved::Phase), "The part it belongs to."),
    optional(
        "actions",
        Shape::List {
            of: &Shape::Either(&[
                Shape::Template,
                Shape::OneOf {
                    of: &BLOCKS,
                    with: &[optional(
                        "when",
                        Shape::Condition,
                        "The condition under which it is shown.",
                    )],
                },
            ]),
            least: 1,
            most: ITEMS,
        },
        "What is to be done.",
    ),
    optional(
        "resources",
        Shape::List { of: &Shape::Reference(Shelved::Resource), least: 1, most: ITEMS },
        "Resources that are shown after the actions.",
    ),
    optional(
        "conventions",
        Shape::List { of: &Shape::Reference(Shelved::Convention), least: 1, most: ITEMS },
        "Conventions that are shown after the actions.",
    ),
    optional("dispatch", Shape::Map(&DISPATCH), "Hands the step to agents."),
    optional("ask", Shape::Map(&ASK), "Asks the person."),
    optional(
        "check",
        Shape::Either(&[Shape::Word(Vocabulary::Tests), Shape::OneOf { of: &CHECKS, with: &[] }]),
        "Looks at the project.",
    ),
    optional(
        "choose",
        Shape::List { of: &Shape::Map(&CHOICE), least: 1, most: ITEMS },
        "Decides by what is known; the first that holds counts.",
    ),
    optional("gate", Shape::Map(&GATE), "Sends work back until a reviewer passes it."),
    optional(
        "next",
        Shape::Either(&[TARGET, Shape::Map(&NEXT)]),
        "Where it leads: by outcome, or one target for `ok`.",
    ),
    optional("on_error", TARGET, "Where it leads when what decides it breaks."),
    optional(
        "limit",
        Shape::Either(&[ROUNDS_OF_STEP, Shape::Map(&LIMIT)]),
        "How often it may be entered.",
    ),
    optional(
        "report",
        Shape::List { of: &Shape::Reference(Shelved::MutableParam), least: 1, most: ITEMS },
        "The parameters that must be given to leave it.",
    ),
    optional("tools", Shape::Map(&TOOLS), "Which tools may be used while it is current."),
];

/// The keys of a step that say who decides what it comes to.
pub(super) const HANDLERS: [&str; 5] = ["dispatch", "ask", "check", "choose", "gate"];

/// The keys of a step by which it is found and left. Whatever else is said of a dispatch, it comes
/// to `ok` or `fail`.
pub(super) const WAYS: [&str; 8] =
    ["id", "ask", "check", "choose", "gate", "next", "on_error", "limit"];

/// The keys of an action.
pub(super) const BLOCKS: [Field; 14] = [
    optional("say", Shape::Template, "A plain instruction."),
    optional(
        "resource",
        Shape::Either(&[
            Shape::Reference(Shelved::Resource),
            Shape::Map(&[
                required("name", Shape::Reference(Shelved::Resource), "Its name."),
                optional("purpose", Shape::Template, "What it is needed for."),
            ]),
        ]),
        "A reference text.",
    ),
    optional(
        "convention",
        Shape::Either(&[
            Shape::Reference(Shelved::Convention),
            Shape::Map(&[
                required("name", Shape::Reference(Shelved::Convention), "Its name."),
                optional("purpose", Shape::Template, "What it is needed for."),
            ]),
        ]),
        "A rule of the house.",
    ),
    optional("forbid", TEMPLATES, "What must not be done."),
    optional(
        "expect",
        Shape::Either(&[Shape::Template, Shape::Map(&EXPECTED)]),
        "What has to be there at the end.",
    ),
    optional(
        "questions",
        Shape::Map(&[
            required("category", Shape::Template, "What kind of thing they find."),
            required("questions", TEMPLATES, "The questions."),
        ]),
        "Questions that find what is wrong.",
    ),
    optional(
        "checklist",
        Shape::Map(&[
            required("name", Shape::Template, "What is checked."),
            required(
                "checks",
                Shape::List { of: &Shape::Map(&CRITERION), least: 1, most: ITEMS },
                "The checks.",
            ),
        ]),
        "Things that have to be checked one by one.",
    ),
    optional(
        "avoid",
        Shape::Map(&[
            required("example", Shape::Template, "The mistake."),
            required("consequence", Shape::Template, "What it costs."),
        ]),
        "A mistake that is often made.",
    ),
    optional("constraint", Shape::Template, "A rule for the session that leads the work."),
    optional("factored", TEMPLATES, "Questions to be answered one by one, each on its own."),
    optional("principle", Shape::Template, "What verification rests on."),
    optional("pedantic", TEMPLATES, "What is to be taken to the letter."),
    optional(
        "routing",
        Shape::List {
            of: &Shape::Map(&[
                required("result", Shape::Template, "The result."),
                required("then", Shape::Template, "What to do."),
            ]),
            least: 1,
            most: ITEMS,
        },
        "What to do with which result.",
    ),
    optional(
        "conditional",
        Shape::Map(&[
            required("condition", Shape::Template, "The condition, in words."),
            required("if_true", Shape::Template, "What to do if it holds."),
            required("if_false", Shape::Template, "What to do if it does not."),
        ]),
        "What to do depending on something only the reader can tell.",
    ),
];

const EXPECTED: [Field; 3] = [
    required("if_pass", Shape::Template, "When all is well."),
    optional("when_issues", Shape::Template, "When something was found."),
    optional("categories", TEMPLATES, "Under which headings."),
];

const CRITERION: [Field; 3] = [
    required("element", Shape::Template, "What is looked at."),
    required("criterion", Shape::Template, "What has to hold."),
    optional("if_missing", Shape::Template, "What it is called when it does not."),
];

const DISPATCH: [Field; 12] = [
    required("role", Shape::Word(Vocabulary::Role), "The part of the agents."),
    optional("prompt", Shape::Template, "What they are told."),
    optional("model", SENTENCE, "Which kind of model suits the work, in words."),
    optional("mode", Shape::Word(Vocabulary::Mode), "As they see fit, or by another workflow."),
    optional("workflow", Shape::Reference(Shelved::Workflow), "That workflow."),
    optional(
        "params",
        Shape::Named { naming: Naming::Variable, of: &Shape::Template },
        "The parameters of that workflow, by name.",
    ),
    optional(
        "context",
        Shape::Named { naming: Naming::Variable, of: &Shape::Template },
        "What they have to know, by name.",
    ),
    optional("answer", Shape::Json, "The JSON Schema of their answer."),
    optional("returns", Shape::Template, "What they hand back, instead of what their role does."),
    optional("afterwards", Shape::Template, "What is to be done when they have ended."),
    optional(
        "agents",
        Shape::List {
            of: &Shape::Map(&[
                required("id", Shape::Name(Naming::Dashed), "Its name within the set."),
                required("prompt", Shape::Template, "What it is told beside what all are told."),
            ]),
            least: 2,
            most: AGENTS,
        },
        "The agents of a set that works at the same time.",
    ),
    optional("tools", Shape::Map(&TOOLS), "Which tools they may use."),
];

const ASK: [Field; 4] = [
    required("question", Shape::Template, "The question."),
    optional(
        "options",
        Shape::List {
            of: &Shape::Either(&[
                SENTENCE,
                Shape::Map(&[
                    required("label", SENTENCE, "The answer."),
                    optional("outcome", OUTCOME, "What the step comes to with it; `ok`."),
                ]),
            ]),
            least: 2,
            most: OPTIONS,
        },
        "What can be answered.",
    ),
    optional("free_text", Shape::Flag, "Whether an answer in other words is taken too."),
    optional("approval", Shape::Flag, "Whether no agent may answer in the person's name."),
];

const CHECKS: [Field; 4] = [
    optional("artifact", Shape::Glob, "A file that fits is there."),
    optional(
        "keyword",
        Shape::Map(&[
            required("in", Shape::Glob, "Which files."),
            required("word", SENTENCE, "What one of them has in it."),
        ]),
        "A file that fits has a word in it.",
    ),
    optional("command", SENTENCES, "A program, with its arguments, ends well."),
    optional("tests", Shape::Flag, "The tests of the project pass."),
];

const CHOICE: [Field; 2] = [
    optional("when", Shape::Condition, "The condition; none for what is left."),
    required("outcome", OUTCOME, "The outcome."),
];

const GATE: [Field; 8] = [
    required("name", Shape::Title, "What the review is called."),
    required("work", Shape::Reference(Shelved::Step), "The step whose work is reviewed."),
    required("pass", TARGET, "Where work that passed leads."),
    optional("pass_message", Shape::Template, "What is said then."),
    optional(
        "self_fix",
        Shape::Flag,
        "Whether the session that leads the work fixes the findings.",
    ),
    optional(
        "fix_target",
        Shape::Word(Vocabulary::Role),
        "The role that fixes the findings otherwise.",
    ),
    optional(
        "limit",
        Shape::Whole { least: 1, most: GATE_MOST },
        "After how many rounds the person is asked.",
    ),
    optional(
        "severities",
        Shape::List {
            of: &Shape::Map(&[
                required("from", Shape::Whole { least: 1, most: GATE_MOST }, "The round."),
                required(
                    "count",
                    Shape::List { of: &Shape::Word(Vocabulary::Severity), least: 1, most: 3 },
                    "What counts.",
                ),
            ]),
            least: 1,
            most: ITEMS,
        },
        "From which round on which findings still count.",
    ),
];

const NEXT: [Field; 5] = [
    optional("ok", TARGET, "When it is done, and well."),
    optional("fail", TARGET, "When it is done, and the answer is no."),
    optional("skip", TARGET, "When it is not needed."),
    optional("iterate", TARGET, "When it has to be done again."),
    optional("default", TARGET, "When it comes to anything else."),
];

const LIMIT: [Field; 2] = [
    required("rounds", ROUNDS_OF_STEP, "How often."),
    optional("then", TARGET, "Where it leads then; the person is asked otherwise."),
];

const TOOLS: [Field; 3] = [
    optional("allow", Shape::Words, "Only these; names with `*`, or classes such as `edit`."),
    optional("block", Shape::Words, "Not these; names with `*`, or classes such as `edit`."),
    optional("edit", TEMPLATES, "Files are changed only where one of these paths fits."),
];

const SENTENCE: Shape = Shape::Sentence { most: SENTENCE_BYTES };
const SENTENCES: Shape = Shape::List { of: &SENTENCE, least: 1, most: ITEMS };
const TEMPLATES: Shape = Shape::List { of: &Shape::Template, least: 1, most: ITEMS };
const TARGET: Shape = Shape::Reference(Shelved::Target);
const OUTCOME: Shape = Shape::Word(Vocabulary::Outcome);
const ROUNDS_OF_STEP: Shape = Shape::Whole { least: 1, most: ROUNDS };

const fn optional(key: &'static str, shape: Shape, about: &'static str) -> Field {
    Field { key, shape, is_required: false, about }
}

const fn required(key: &'static str, shape: Shape, about: &'static str) -> Field {
    Field { key, shape, is_required: true, about }
}
