//! Proves that a condition or a text can be evaluated, whatever the parameters and the run are.
//!
//! A run whose step cannot be shown can only be given up, so `flow check` has to find everything
//! that could fail later. Every expression is given a type from what the definition declares; what
//! cannot be proved to work is refused. The evaluator's own syntax tree is used here and nowhere
//! else, because its form may change with every version (the workspace names one exactly).

mod scope;
#[cfg(test)]
pub(super) mod tests;

use minijinja::{
    machinery::{
        ast::{BinOpKind, CallArg, CompareOpKind, Expr, Stmt, UnaryOpKind},
        parse, parse_expr,
    },
    value::ValueKind,
};

pub(super) use self::scope::Scope;
use super::{expression::FILLED_BYTES, words::Confidence};
use crate::{
    language::{self, QUOTABLE_BYTES},
    problem::shown,
};

/// Most rounds of one loop in a text; nobody reads more.
const ROUNDS: i64 = 200;

/// Most steps of the evaluator that the checker accepts: half of what it is given, because one node
/// takes a few.
const WORK: u64 = language::FUEL / 2;

/// How many steps of the evaluator one node takes at most.
const STEPS_OF_NODE: u64 = 3;

/// Deepest nesting of blocks, below what the evaluator allows. No sensible text has more than three.
const NESTING: usize = 16;

/// What an expression can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any text of at most so many bytes.
    Text {
        most: u64,
    },
    /// One word of a closed list.
    Word {
        what: &'static str,
        of: Vec<String>,
    },
    /// This very text.
    Literal(String),
    /// How sure somebody is.
    Level,
    /// A whole number within bounds.
    Number {
        least: i64,
        most: i64,
    },
    Flag,
    /// What is known of one step, or of one gate, by the names of its fields.
    Record(Vec<(&'static str, Type)>),
    /// What is known of all of them, by their names.
    Records {
        what: &'static str,
        names: Vec<String>,
        of: Box<Kind>,
    },
    /// At most so many values.
    List {
        of: Box<Type>,
        most: i64,
    },
    /// Nothing at all.
    Nothing,
    /// Something that was reported already, or that only counts as yes or no.
    Anything,
}

/// What an expression can be, and whether it may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) may_be_none: bool,
}

/// Why an expression is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A name that is not a parameter.
    Undeclared(String),
    /// A word that is not in a closed list.
    Unknown { what: &'static str, word: String, known: Vec<String> },
    /// Something that can fail or mean nothing, and what to write instead.
    Unsafe { message: String, hint: Option<&'static str> },
}

/// Returns what is wrong with a condition that can be read.
pub(super) fn check_condition(text: &str, scope: &Scope) -> Vec<Fault> {
    let Ok(expression) = parse_expr(text) else { return Vec::new() };
    let mut checker = Checker::new(scope);
    checker.type_of(&expression);
    checker.finish()
}

/// Returns what is wrong with a text that can be read.
pub(super) fn check_text(text: &str, scope: &Scope) -> Vec<Fault> {
    let Ok(template) = parse(text, "text", minijinja::syntax::SyntaxConfig::default()) else {
        return Vec::new();
    };
    let mut checker = Checker::new(scope);
    let bytes = checker.bytes_of(&template);
    let most = u64::try_from(FILLED_BYTES).unwrap_or(u64::MAX);
    if bytes > most {
        checker.refuse(
            format!("it may come to {bytes} bytes when parameters are long, {most} are allowed"),
            "use long parameters less often in one text",
        );
    }
    checker.finish()
}

impl Type {
    pub(super) const fn of(kind: Kind) -> Self {
        Self { kind, may_be_none: false }
    }

    pub(super) const fn or_none(kind: Kind) -> Self {
        Self { kind, may_be_none: true }
    }

    const fn anything() -> Self {
        Self::of(Kind::Anything)
    }

    const fn is_text(&self) -> bool {
        matches!(
            self.kind,
            Kind::Text { .. } | Kind::Word { .. } | Kind::Literal(_) | Kind::Level | Kind::Anything
        )
    }

    /// Returns the bounds of what is always a number.
    const fn number(&self) -> Option<(i64, i64)> {
        if let Kind::Number { least, most } = self.kind
            && !self.may_be_none
        {
            return Some((least, most));
        }
        None
    }

    /// Returns the items of what is always a list, and the most there can be.
    fn list(&self) -> Option<(&Self, i64)> {
        if let Kind::List { of, most } = &self.kind
            && !self.may_be_none
        {
            return Some((of, *most));
        }
        None
    }

    /// Returns the words that the author wrote out.
    fn written(&self) -> Option<&[String]> {
        if let Kind::Literal(word) = &self.kind {
            return Some(std::slice::from_ref(word));
        }
        if let Kind::Word { what: WRITTEN, of } = &self.kind { Some(of) } else { None }
    }

    /// Returns what the words of a declared list are called, and the words.
    fn closed(&self) -> Option<(&'static str, Vec<String>)> {
        if self.kind == Kind::Level {
            let words = Confidence::ALL.map(|one| one.word().to_owned());
            return Some(("degree of confidence", words.into()));
        }
        if let Kind::Word { what, of } = &self.kind
            && *what != WRITTEN
        {
            return Some((what, of.clone()));
        }
        None
    }

    /// Returns the most bytes it takes when it is written, if it can be written.
    fn bytes(&self) -> Option<u64> {
        let length = |text: &str| u64::try_from(text.len()).unwrap_or(u64::MAX);
        let bytes = match &self.kind {
            Kind::Text { most } => *most,
            Kind::Word { of, .. } => of.iter().map(|word| length(word)).max().unwrap_or(0),
            Kind::Literal(text) => length(text),
            Kind::Level => 9,
            Kind::Number { .. } => 20,
            Kind::Flag => 5,
            Kind::Nothing => 4,
            Kind::Anything => 0,
            Kind::Record(_) | Kind::Records { .. } | Kind::List { .. } => return None,
        };
        Some(bytes.max(4))
    }

    fn said(&self) -> &'static str {
        match &self.kind {
            Kind::Text { .. } | Kind::Literal(_) => "a text",
            Kind::Word { .. } => "a word",
            Kind::Level => "a degree of confidence",
            Kind::Number { .. } => "a number",
            Kind::Flag => "yes or no",
            Kind::Record(_) | Kind::Records { .. } => "a set of fields",
            Kind::List { .. } => "a list",
            Kind::Nothing => "`none`",
            Kind::Anything => "something",
        }
    }
}

/// An expression or a text on its way through the rules.
struct Checker<'s> {
    scope: &'s Scope,
    /// The names that loops give, the innermost last.
    loops: Vec<(String, Type)>,
    /// How often what is at hand is evaluated.
    times: u64,
    /// How many blocks the statement stands in.
    depth: usize,
    /// How many steps the evaluator takes at most.
    work: u64,
    faults: Vec<Fault>,
}

impl<'s> Checker<'s> {
    const fn new(scope: &'s Scope) -> Self {
        Self { scope, loops: Vec::new(), times: 1, depth: 0, work: 0, faults: Vec::new() }
    }

    fn finish(mut self) -> Vec<Fault> {
        if self.work > WORK {
            let message = "it may take more work than a text is given".to_owned();
            self.refuse(message, "make its loops shorter");
        }
        self.faults.dedup();
        self.faults
    }

    fn refuse(&mut self, message: String, hint: &'static str) -> Type {
        self.faults.push(Fault::Unsafe { message, hint: Some(hint) });
        Type::anything()
    }

    fn spend(&mut self) {
        let cost = STEPS_OF_NODE.saturating_mul(self.times);
        self.work = self.work.saturating_add(cost);
    }

    /// Checks statements, and returns how many bytes they write at most.
    fn bytes_of_all(&mut self, statements: &[Stmt<'_>]) -> u64 {
        if self.depth == NESTING {
            let message = format!("blocks are nested more than {NESTING} deep");
            self.refuse(message, "write it with fewer `if` and `for` inside each other");
            return 0;
        }
        self.depth += 1;
        let sum = statements.iter().fold(0, |sum: u64, one| sum.saturating_add(self.bytes_of(one)));
        self.depth -= 1;
        sum
    }

    fn bytes_of(&mut self, statement: &Stmt<'_>) -> u64 {
        self.spend();
        match statement {
            Stmt::Template(template) => self.bytes_of_all(&template.children),
            Stmt::EmitRaw(raw) => u64::try_from(raw.raw.len()).unwrap_or(u64::MAX),
            Stmt::EmitExpr(written) => {
                let found = self.type_of(&written.expr);
                found.bytes().unwrap_or_else(|| {
                    let message = format!("{} cannot be written into a text", found.said());
                    self.refuse(message, "name one of its fields");
                    0
                })
            }
            Stmt::IfCond(branch) => {
                self.type_of(&branch.expr);
                let (yes, no) =
                    (self.bytes_of_all(&branch.true_body), self.bytes_of_all(&branch.false_body));
                yes.max(no)
            }
            Stmt::ForLoop(over) => self.bytes_of_loop(over),
            Stmt::WithBlock(_)
            | Stmt::Set(_)
            | Stmt::SetBlock(_)
            | Stmt::AutoEscape(_)
            | Stmt::FilterBlock(_)
            | Stmt::Do(_) => {
                self.refuse(
                    "it has a statement that is not part of the language".to_owned(),
                    "there are `if` and `for`",
                );
                0
            }
        }
    }

    fn bytes_of_loop(&mut self, over: &minijinja::machinery::ast::ForLoop<'_>) -> u64 {
        let listed = self.type_of(&over.iter);
        let (item, rounds) = if let Some((item, most)) = listed.list() {
            (item.clone(), most)
        } else if listed.kind == Kind::Anything {
            (Type::anything(), 1)
        } else {
            let message = format!("a loop cannot go over {}", listed.said());
            self.refuse(message, "loop over `range(…)`");
            return 0;
        };
        let Expr::Var(name) = &over.target else {
            self.refuse("a loop gives one name".to_owned(), "write `for NAME in …`");
            return 0;
        };
        let rounds = u64::try_from(rounds).unwrap_or(0);
        let before = self.times;
        self.times = self.times.saturating_mul(rounds.max(1));
        self.loops.push((name.id.to_owned(), item));
        self.loops.push(("loop".to_owned(), Type::of(scope::loop_state(ROUNDS))));
        let body = self.bytes_of_all(&over.body);
        self.loops.truncate(self.loops.len().saturating_sub(2));
        self.times = before;
        let other = self.bytes_of_all(&over.else_body);
        body.saturating_mul(rounds).max(other)
    }

    fn type_of(&mut self, expression: &Expr<'_>) -> Type {
        self.spend();
        match expression {
            Expr::Var(variable) => self.variable(variable.id),
            Expr::Const(constant) => self.constant(&constant.value),
            Expr::GetAttr(field) => {
                let of = self.type_of(&field.expr);
                self.field(&of, field.name)
            }
            Expr::GetItem(item) => {
                let of = self.type_of(&item.expr);
                match constant_text(&item.subscript_expr) {
                    Some(name) => self.field(&of, &name),
                    None if of.kind == Kind::Anything => of,
                    None => self.refuse(
                        "what stands in `[…]` is not known before a run".to_owned(),
                        "write the name in quotes, such as `steps['look']`",
                    ),
                }
            }
            Expr::UnaryOp(unary) => {
                let of = self.type_of(&unary.expr);
                match (&unary.op, of.number()) {
                    (UnaryOpKind::Not, _) => Type::of(Kind::Flag),
                    (UnaryOpKind::Neg, Some((least, most))) => {
                        let (least, most) = (most.saturating_neg(), least.saturating_neg());
                        Type::of(Kind::Number { least, most })
                    }
                    (UnaryOpKind::Neg, None) => self.not_a_number(&of),
                }
            }
            Expr::BinOp(pair) => {
                let (left, right) = (self.type_of(&pair.left), self.type_of(&pair.right));
                self.pair(pair.op, &left, &right)
            }
            Expr::Compare(chain) => {
                let mut left = self.type_of(&chain.expr);
                for other in &chain.ops {
                    let right = self.type_of(&other.expr);
                    self.compare(other.op, &left, &right);
                    left = right;
                }
                Type::of(Kind::Flag)
            }
            Expr::IfExpr(choice) => {
                self.type_of(&choice.test_expr);
                let yes = self.type_of(&choice.true_expr);
                let Some(no) = &choice.false_expr else {
                    return self.refuse(
                        "`if` without `else` is nothing where it does not hold".to_owned(),
                        "add `else ''`",
                    );
                };
                let no = self.type_of(no);
                join(&yes, &no)
            }
            Expr::Filter(filter) => self.filter(filter),
            Expr::Test(test) => self.test(test),
            Expr::Call(call) => self.call(call),
            Expr::List(list) => self.list(&list.items),
            Expr::Tuple(tuple) => self.list(&tuple.items),
            Expr::Slice(_) | Expr::Map(_) => self.refuse(
                "slices and maps are not part of the language".to_owned(),
                "compare with `==` or `in [...]`",
            ),
        }
    }

    fn variable(&mut self, name: &str) -> Type {
        let in_loop = self.loops.iter().rev().find(|(known, _)| known == name);
        if let Some((_, found)) = in_loop {
            return found.clone();
        }
        self.scope.variable(name).cloned().unwrap_or_else(|| {
            self.faults.push(Fault::Undeclared(name.to_owned()));
            Type::anything()
        })
    }

    fn constant(&mut self, value: &minijinja::Value) -> Type {
        match (value.kind(), value.as_str(), value.as_i64()) {
            (ValueKind::String, Some(text), _) => Type::of(Kind::Literal(text.to_owned())),
            (ValueKind::Number, _, Some(number)) => {
                Type::of(Kind::Number { least: number, most: number })
            }
            (ValueKind::Bool, _, _) => Type::of(Kind::Flag),
            (ValueKind::None, _, _) => Type::or_none(Kind::Nothing),
            _ => self.refuse(
                "only texts, whole numbers, `true`, `false` and `none` can be written".to_owned(),
                "round it",
            ),
        }
    }

    fn field(&mut self, of: &Type, name: &str) -> Type {
        if of.may_be_none {
            return self.refuse(format!("`{}` may be `none`", shown(name)), "compare it first");
        }
        match &of.kind {
            Kind::Anything => Type::anything(),
            Kind::Records { what, names, of } => {
                if names.iter().any(|known| known == name) {
                    return Type::of((**of).clone());
                }
                let (word, known) = (name.to_owned(), names.clone());
                self.faults.push(Fault::Unknown { what, word, known });
                Type::anything()
            }
            Kind::Record(fields) => {
                if let Some((_, found)) = fields.iter().find(|(known, _)| *known == name) {
                    return found.clone();
                }
                let known = fields.iter().map(|(known, _)| (*known).to_owned()).collect();
                self.faults.push(Fault::Unknown { what: "field", word: name.to_owned(), known });
                Type::anything()
            }
            Kind::Text { .. }
            | Kind::Word { .. }
            | Kind::Literal(_)
            | Kind::Level
            | Kind::Number { .. }
            | Kind::Flag
            | Kind::List { .. }
            | Kind::Nothing => {
                let message = format!("{} has no field `{}`", of.said(), shown(name));
                self.refuse(message, "only `steps[…]` and `gates[…]` have fields")
            }
        }
    }

    fn pair(&mut self, op: BinOpKind, left: &Type, right: &Type) -> Type {
        let compared = match op {
            BinOpKind::Eq => CompareOpKind::Eq,
            BinOpKind::Ne => CompareOpKind::Ne,
            BinOpKind::Lt => CompareOpKind::Lt,
            BinOpKind::Lte => CompareOpKind::Lte,
            BinOpKind::Gt => CompareOpKind::Gt,
            BinOpKind::Gte => CompareOpKind::Gte,
            BinOpKind::In => CompareOpKind::In,
            BinOpKind::ScAnd | BinOpKind::ScOr => return join(left, right),
            BinOpKind::Sub | BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Rem => {
                return self.reckon(op, left, right);
            }
            BinOpKind::Add | BinOpKind::Mul | BinOpKind::Pow | BinOpKind::Concat => {
                return self.refuse(
                    "`+`, `*` and `~` are not part of the language".to_owned(),
                    "write both parts side by side",
                );
            }
        };
        self.compare(compared, left, right);
        Type::of(Kind::Flag)
    }

    fn reckon(&mut self, op: BinOpKind, left: &Type, right: &Type) -> Type {
        for side in [left, right] {
            if !matches!(side.kind, Kind::Number { .. } | Kind::Anything) || side.may_be_none {
                return self.not_a_number(side);
            }
        }
        let (Kind::Number { least: a, most: b }, Kind::Number { least: c, most: d }) =
            (&left.kind, &right.kind)
        else {
            return Type::anything();
        };
        if matches!(op, BinOpKind::Sub) {
            let (least, most) = (a.saturating_sub(*d), b.saturating_sub(*c));
            return Type::of(Kind::Number { least, most });
        }
        if *c <= 0 && *d >= 0 {
            return self.refuse(
                "it may divide by zero".to_owned(),
                "divide by a parameter whose `least` is 1",
            );
        }
        let most = a.saturating_abs().max(b.saturating_abs());
        Type::of(Kind::Number { least: most.saturating_neg(), most })
    }

    fn compare(&mut self, op: CompareOpKind, left: &Type, right: &Type) {
        match op {
            CompareOpKind::Eq | CompareOpKind::Ne => self.equal(left, right),
            CompareOpKind::Lt | CompareOpKind::Lte | CompareOpKind::Gt | CompareOpKind::Gte => {
                for side in [left, right] {
                    let is_number = matches!(side.kind, Kind::Number { .. } | Kind::Anything);
                    if side.kind == Kind::Level {
                        self.refuse(
                            "degrees of confidence are not compared as words".to_owned(),
                            "write `confidence is atleast('high')`",
                        );
                    } else if !is_number || side.may_be_none {
                        self.not_a_number(side);
                    }
                }
            }
            CompareOpKind::In | CompareOpKind::NotIn => {
                if let Some((item, _)) = right.list() {
                    self.equal(left, item);
                } else if right.is_text() && !right.may_be_none {
                    let is_unknown = right.kind == Kind::Anything;
                    if !is_unknown && (!left.is_text() || left.may_be_none) {
                        let message = format!("{} is never part of a text", left.said());
                        self.refuse(message, "compare with `==`");
                    }
                } else {
                    let message = format!("nothing is in {}", right.said());
                    self.refuse(message, "write a list, such as `in ['a', 'b']`");
                }
            }
        }
    }

    /// Refuses a comparison that never holds: it is a slip, and the way behind it is dead.
    fn equal(&mut self, left: &Type, right: &Type) {
        let pairs = [(left, right), (right, left)];
        for (closed, other) in pairs {
            let (Some(words), Some((what, known))) = (other.written(), closed.closed()) else {
                continue;
            };
            if let Some(word) = words.iter().find(|word| !known.contains(word)) {
                self.faults.push(Fault::Unknown { what, word: word.clone(), known });
                return;
            }
        }
        let class = |one: &Type| match &one.kind {
            Kind::Text { .. } | Kind::Word { .. } | Kind::Literal(_) | Kind::Level => 1,
            Kind::Number { .. } => 2,
            Kind::Flag => 3,
            Kind::Anything | Kind::Nothing => 0,
            Kind::Record(_) | Kind::Records { .. } | Kind::List { .. } => 4,
        };
        let is_none = |one: &Type, other: &Type| one.kind == Kind::Nothing && !other.may_be_none;
        let classes = (class(left), class(right));
        let differ = classes.0 != classes.1 && classes.0 != 0 && classes.1 != 0;
        if differ || classes.0 == 4 || is_none(left, right) || is_none(right, left) {
            let message = format!("{} never equals {}", left.said(), right.said());
            self.refuse(message, "compare values of one kind");
        }
    }

    fn filter(&mut self, filter: &minijinja::machinery::ast::Filter<'_>) -> Type {
        let Some(subject) = &filter.expr else {
            return self
                .refuse("a filter stands behind a value".to_owned(), "write `VALUE | trim`");
        };
        let of = self.type_of(subject);
        let arguments = self.arguments(&filter.args);
        match (filter.name, arguments.as_slice()) {
            ("lower" | "upper" | "trim", []) => {
                if !of.is_text() || of.may_be_none {
                    return self.not_a_text(filter.name, &of);
                }
                // Capitals of a few letters are longer than the letters.
                let growth = if filter.name == "trim" { 1 } else { 3 };
                let most = of.bytes().unwrap_or_default().saturating_mul(growth);
                Type::of(Kind::Text { most })
            }
            ("quoted", []) => {
                if !of.is_text() || of.may_be_none {
                    return self.not_a_text(filter.name, &of);
                }
                let bytes = of.bytes().unwrap_or_default();
                if bytes > u64::try_from(QUOTABLE_BYTES).unwrap_or(u64::MAX) {
                    let message = format!("up to {bytes} bytes are too many to be quoted");
                    return self.refuse(message, "quote a parameter by itself");
                }
                // Each quote becomes four signs, and two stand round all.
                Type::of(Kind::Text { most: bytes.saturating_mul(4).saturating_add(2) })
            }
            ("length", []) => {
                let bytes = of.bytes().filter(|_| of.is_text() && !of.may_be_none);
                let most = of.list().map(|(_, most)| most);
                let most =
                    most.or_else(|| bytes.map(|most| i64::try_from(most).unwrap_or(i64::MAX)));
                match most {
                    Some(most) => Type::of(Kind::Number { least: 0, most }),
                    None => self.not_a_text(filter.name, &of),
                }
            }
            ("default", [other]) => {
                let joined = join(&of, other);
                Type { may_be_none: of.may_be_none, ..joined }
            }
            _ => {
                let message = format!("the filter `{}` is used wrongly", shown(filter.name));
                self.refuse(
                    message,
                    "there are `lower`, `upper`, `trim`, `quoted`, `length`, `default(…)`",
                )
            }
        }
    }

    fn test(&mut self, test: &minijinja::machinery::ast::Test<'_>) -> Type {
        let of = self.type_of(&test.expr);
        let arguments = self.arguments(&test.args);
        match (test.name, arguments.as_slice()) {
            ("defined", []) => {}
            ("startingwith" | "endingwith", [other]) => {
                for side in [&of, other] {
                    if !side.is_text() || side.may_be_none {
                        self.not_a_text(test.name, side);
                    }
                }
            }
            ("atleast", [least]) => {
                if !matches!(of.kind, Kind::Level | Kind::Anything) || of.may_be_none {
                    let message =
                        format!("`atleast` compares confidence, and this is {}", of.said());
                    self.refuse(message, "use it on a parameter of type `confidence`");
                }
                if matches!(least.kind, Kind::Literal(_)) {
                    self.equal(&Type::of(Kind::Level), least);
                } else if !matches!(least.kind, Kind::Level | Kind::Anything) {
                    let message = format!("`atleast` needs a degree, and not {}", least.said());
                    self.refuse(message, "write `atleast('high')`");
                }
            }
            _ => {
                let message = format!("the test `{}` is used wrongly", shown(test.name));
                let hint = "there are `defined`, `startingwith('…')`, `endingwith('…')`, \
                            `atleast('…')`";
                self.refuse(message, hint);
            }
        }
        Type::of(Kind::Flag)
    }

    fn call(&mut self, call: &minijinja::machinery::ast::Call<'_>) -> Type {
        let is_range = matches!(&call.expr, Expr::Var(name) if name.id == "range");
        let arguments = self.arguments(&call.args);
        if !is_range {
            return self.refuse("only `range` can be called".to_owned(), "use a filter or a test");
        }
        let bounds: Option<Vec<(i64, i64)>> = arguments.iter().map(Type::number).collect();
        let (least, most) = match bounds.as_deref() {
            Some([(_, most)]) => (0, *most),
            Some([(least, _), (_, most)]) => (*least, *most),
            _ => {
                return self.refuse(
                    "`range` takes one or two whole numbers".to_owned(),
                    "write `range(3)` or `range(1, rounds)`",
                );
            }
        };
        let rounds = most.saturating_sub(least);
        if rounds > ROUNDS {
            let message = format!("`range` may have {rounds} rounds, {ROUNDS} are allowed");
            return self.refuse(message, "give the parameter a `most`");
        }
        let of = Box::new(Type::of(Kind::Number { least, most }));
        Type::of(Kind::List { of, most: rounds.max(0) })
    }

    fn arguments(&mut self, arguments: &[CallArg<'_>]) -> Vec<Type> {
        arguments
            .iter()
            .map(|argument| match argument {
                CallArg::Pos(value) => self.type_of(value),
                CallArg::Kwarg(..) | CallArg::PosSplat(_) | CallArg::KwargSplat(_) => {
                    self.refuse("arguments have no names here".to_owned(), "write the value alone")
                }
            })
            .collect()
    }

    fn list(&mut self, items: &[Expr<'_>]) -> Type {
        let mut joined: Option<Type> = None;
        for item in items {
            let found = self.type_of(item);
            joined = Some(match joined {
                None => found,
                Some(before) => join_words(&before, &found),
            });
        }
        let most = i64::try_from(items.len()).unwrap_or(i64::MAX);
        Type::of(Kind::List { of: Box::new(joined.unwrap_or_else(Type::anything)), most })
    }

    fn not_a_number(&mut self, of: &Type) -> Type {
        if of.kind == Kind::Anything {
            return Type::anything();
        }
        let message = if of.may_be_none {
            "a value that may be `none` is not a number".to_owned()
        } else {
            format!("{} is not a number", of.said())
        };
        self.refuse(message, "compare it with `==`")
    }

    fn not_a_text(&mut self, name: &str, of: &Type) -> Type {
        if of.kind == Kind::Anything && !of.may_be_none {
            return Type::anything();
        }
        let said = if of.may_be_none { "a value that may be `none`" } else { of.said() };
        let message = format!("`{}` needs a text, and this is {said}", shown(name));
        self.refuse(message, "use it on a text")
    }
}

fn constant_text(expression: &Expr<'_>) -> Option<String> {
    let Expr::Const(constant) = expression else { return None };
    constant.value.as_str().map(str::to_owned)
}

/// Returns what one of two values can be.
fn join(left: &Type, right: &Type) -> Type {
    let may_be_none = left.may_be_none || right.may_be_none;
    let kind = match (&left.kind, &right.kind) {
        (one, other) if one == other => one.clone(),
        (Kind::Number { least: a, most: b }, Kind::Number { least: c, most: d }) => {
            Kind::Number { least: *a.min(c), most: *b.max(d) }
        }
        _ if left.is_text() && right.is_text() => {
            let most = left.bytes().unwrap_or_default().max(right.bytes().unwrap_or_default());
            Kind::Text { most }
        }
        (Kind::Nothing, other) | (other, Kind::Nothing) => other.clone(),
        _ => Kind::Flag,
    };
    Type { kind, may_be_none }
}

/// Joins the words of a list that is written out, so that each is compared with what may be.
fn join_words(left: &Type, right: &Type) -> Type {
    match (left.written(), right.written()) {
        (Some(words), Some(more)) => {
            Type::of(Kind::Word { what: WRITTEN, of: [words, more].concat() })
        }
        _ => join(left, right),
    }
}

/// What a list of words that the author wrote is called.
const WRITTEN: &str = "word of the list";
