//! Which rules are in force: those of each file as it is, or as it last was without a mistake.
//!
//! A file that cannot be used opens no gate: where nothing is known of what it said before, tools
//! that change something are refused until the person has fixed it.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use pacenote_files::{Bytes, Links, is_name_taken, read_text_if_present};
use pacenote_flow::lifecycle::{
    Action, BlockTools, Facts, Layer, LayerRules, Problem, Rule, Rules, ToolRule, applies,
    built_in, built_in_layer, merge, read, refusal,
};
use pacenote_hosts::Verdict;
use pacenote_model::{Event, EventKind, ToolCall, ToolClass};

use super::{
    PROJECT_FILE,
    last_good::last_good,
    trust::{self, TrustedText},
};
use crate::{
    Data, Desk, EngineError,
    presence::{Presence, TrustedRules},
};

/// Largest file that is read: more than the reader of rules takes, so that it can say so.
pub(super) const FILE: Bytes = Bytes::mib(16);

/// The tools that are refused while gates of a file are not known: every kind that can change
/// something. Reading, lists and subagents stay open; the tools of a subagent are refused themselves.
const CHANGING: [ToolClass; 3] = [ToolClass::Edit, ToolClass::Shell, ToolClass::Other];

/// The word that means our own commands, without which nobody could go on.
const OURS: &str = "pacenote";

/// The rules that are in force, and what is wrong with those that are not.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The rules of all layers.
    pub rules: Rules,
    /// The files whose rules are not in force as they stand there.
    pub unsound: Vec<Unsound>,
    /// What else is wrong with files.
    pub problems: Vec<Problem>,
    /// Names in rules that do not exist: such a rule is left out, or refuses if it is a gate.
    pub unknown_names: Vec<Problem>,
    /// What is left out of rules that are in force, or may not work as their author thinks.
    pub left_out: Vec<Problem>,
    /// The repository's file, when the person does not trust it as it is.
    pub inert: Option<PathBuf>,
}

/// A file that the person wrote or trusts, and that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsound {
    /// The first thing that is wrong with it.
    pub problem: Problem,
    /// What is in force instead.
    pub instead: Instead,
}

/// What is in force instead of a file that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// Its rules as they last were without a mistake.
    LastGood,
    /// A gate on every tool that can change something.
    Closed,
    /// Nothing: it is known to refuse no tool.
    Nothing,
}

impl fmt::Display for Unsound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = match self.instead {
            Instead::LastGood => "the rules that this file had before stay in force",
            Instead::Closed => "tools that change files or run commands are refused",
            Instead::Nothing => "its rules are not in force",
        };
        write!(formatter, "{}; until this is fixed, {instead}", self.problem)
    }
}

/// Returns the rules that are in force at a desk; `user` is the person's own file.
pub fn load(desk: &Desk, user: Option<&Path>) -> Result<Loaded, EngineError> {
    let mut loaded = Loaded::default();
    let path = desk.place().root.join(PROJECT_FILE);
    // The file is the repository's: a link in its place could lead anywhere. One that cannot be read
    // must not cost the rules of others.
    let present = read_rules(&path, Links::Refuse);
    // What was trusted stays in force when the file changes or goes: an agent can do that too.
    let trusted = trust::trusted_rules(desk)?;
    match present {
        Ok(None) => {}
        Ok(Some(text)) if trusted == TrustedText::Kept(text.clone()) => {}
        Ok(Some(_)) => loaded.inert = Some(path.clone()),
        Err(problem) => loaded.problems.push(problem),
    }
    let own = user.and_then(|path| RulesFile::own(desk.data(), path));
    let files: Vec<_> = own.into_iter().chain(RulesFile::trusted(&path, trusted)).collect();
    loaded.merge(&files);
    Ok(loaded)
}

/// Returns the rules that hold without a store: those of the person, and a gate for those of a
/// project that only its marks know of.
pub(crate) fn load_without_store(data: &Data, user: Option<&Path>, presence: &Presence) -> Loaded {
    let mut loaded = Loaded::default();
    let is_forgotten = presence.rules == TrustedRules::WithGates;
    let place = presence.place.as_ref().filter(|_| is_forgotten);
    let path = place.map(|place| place.root.join(PROJECT_FILE));
    let own = user.and_then(|path| RulesFile::own(data, path));
    let project = path.as_deref().and_then(|path| RulesFile::trusted(path, TrustedText::Forgotten));
    loaded.merge(&own.into_iter().chain(project).collect::<Vec<_>>());
    loaded
}

/// Returns what a rule of the person runs. A rule of a repository never runs anything.
pub(crate) fn find_program(data: &Data, user: Option<&Path>, rule: &str) -> Option<Vec<String>> {
    let mut loaded = Loaded::default();
    loaded.merge(&user.and_then(|path| RulesFile::own(data, path)).into_iter().collect::<Vec<_>>());
    let is_wanted = |one: &&Rule| one.name == rule && one.layer == Layer::User && one.enabled;
    let rule = loaded.rules.rules.iter().find(is_wanted)?;
    if let Action::Run { argv } = &rule.action { Some(argv.clone()) } else { None }
}

/// Returns the refusal of a tool by rules that name tools, which hold without a store. Rules about
/// tasks hold only where there are any.
pub(crate) fn refuse_without_store(
    loaded: &Loaded,
    event: &Event,
    tool: &ToolCall,
) -> Option<Verdict> {
    let facts = Facts {
        event: event.kind().rule_key().unwrap_or_default().to_owned(),
        plan_mode: event.plan_mode,
        tool: tool.into(),
        ..Facts::default()
    };
    let gates = loaded.rules.on(EventKind::BeforeTool).filter(|rule| {
        rule.layer != Layer::BuiltIn && matches!(rule.action, Action::BlockTools(_))
    });
    let mut gates = gates.filter(|rule| applies(rule, &facts).applies);
    gates.find_map(|rule| {
        let reason = refusal(rule, tool, &facts)?.reason;
        Some(Verdict::Deny { reason: format!("{reason} (rule `{}`)", rule.name) })
    })
}

/// Reads a file of rules; `None` when there is none. A link that leads nowhere is something.
pub fn read_rules(path: &Path, links: Links) -> Result<Option<String>, Problem> {
    match read_text_if_present(path, FILE, links) {
        Ok(None) if links == Links::Follow && is_name_taken(path) => {
            Err(problem_with(path, "the link leads nowhere".to_owned()))
        }
        Ok(text) => Ok(text),
        Err(_) if !is_name_taken(path) => Ok(None),
        Err(error) => Err(problem_with(path, error.to_string())),
    }
}

/// Returns a problem with a file as a whole.
pub(super) fn problem_with(path: &Path, message: String) -> Problem {
    Problem { file: path.display().to_string(), line: 1, step: None, message, hint: None }
}

/// Returns the problem with a trusted file that the store does not know.
pub(super) fn forgotten_problem(path: &Path) -> Problem {
    let message = "this file was trusted, but the store does not know that any more; \
                   `pacenote trust approve` trusts it as it is, `pacenote trust revoke` ends its gates";
    problem_with(path, message.to_owned())
}

/// Says a problem with its hint.
fn in_one_line(problem: &Problem) -> String {
    match &problem.hint {
        Some(hint) => format!("{problem} ({hint})"),
        None => problem.to_string(),
    }
}

/// Reports whether rules can refuse a tool. To switch a rule on may be to close a gate.
pub(super) fn can_refuse_tools(layer: &LayerRules) -> bool {
    let refuses = |rule: &Rule| rule.enabled && rule.action.refuses_tools();
    !layer.enable.is_empty() || layer.rules.iter().any(refuses)
}

/// A file of rules that the person wrote or trusts.
struct RulesFile<'a> {
    path: &'a Path,
    layer: Layer,
    /// What it says.
    text: Result<String, Problem>,
    /// Where its copy lies, if there can be one.
    data: Option<&'a Data>,
}

impl<'a> RulesFile<'a> {
    /// Returns the person's own file; `None` when there is none.
    fn own(data: &'a Data, path: &'a Path) -> Option<Self> {
        let text = read_rules(path, Links::Follow).transpose()?;
        Some(Self { path, layer: Layer::User, text, data: Some(data) })
    }

    /// Returns the repository's file as the person trusts it; `None` when that is not so.
    fn trusted(path: &'a Path, text: TrustedText) -> Option<Self> {
        let text = match text {
            TrustedText::Untrusted => return None,
            TrustedText::Kept(text) => Ok(text),
            TrustedText::Lost => {
                Err(problem_with(path, "what was trusted of this file is not there".to_owned()))
            }
            TrustedText::Forgotten => Err(forgotten_problem(path)),
        };
        Some(Self { path, layer: Layer::Project, text, data: None })
    }

    fn read(&self) -> Result<LayerRules, Vec<Problem>> {
        match &self.text {
            Ok(text) => read(text, &self.path.display().to_string(), self.layer),
            Err(problem) => Err(vec![problem.clone()]),
        }
    }

    fn read_last_good(&self) -> Option<LayerRules> {
        let text = last_good(self.data?, self.path)?;
        read(&text, &self.path.display().to_string(), self.layer).ok()
    }

    /// Returns the gate that stands in for those of the file.
    fn closed_gate(&self, problem: &Problem) -> Rule {
        let name = match self.layer {
            Layer::BuiltIn | Layer::User => "broken-own-rules",
            Layer::Project => "broken-project-rules",
        };
        let reason = format!(
            "Rules that may refuse this tool cannot be used: {problem}. The person can see what to \
             fix with `pacenote lifecycle check`."
        );
        let rule = ToolRule {
            tools: CHANGING.map(|class| class.word().to_owned()).into(),
            except: vec![OURS.to_owned()],
            command: None,
            when: None,
            reason,
        };
        Rule {
            name: name.to_owned(),
            layer: self.layer,
            line: 0,
            on: EventKind::BeforeTool,
            enabled: true,
            when: None,
            action: Action::BlockTools(BlockTools { rules: vec![rule] }),
        }
    }
}

impl Loaded {
    /// Returns everything that is wrong, a line for each.
    pub fn warnings(&self) -> Vec<String> {
        let unsound = self.unsound.iter().map(ToString::to_string);
        let problems = self.problems.iter().map(ToString::to_string);
        unsound.chain(problems).chain(self.unknown_names.iter().map(in_one_line)).collect()
    }

    /// Returns what is left out of rules that are in force, a line for each.
    pub fn remarks(&self) -> Vec<String> {
        self.left_out.iter().map(in_one_line).collect()
    }

    /// Puts files together, each on top of those before it: a mistake of one must not cost the rules
    /// of another.
    fn merge(&mut self, files: &[RulesFile<'_>]) {
        // Nothing to put together, which is usual and must cost nothing.
        if files.is_empty() {
            self.rules = built_in();
            return;
        }
        let mut layers = vec![built_in_layer()];
        let mut closed = Vec::new();
        for file in files {
            let present = file.read();
            let can_refuse = present.as_ref().map_or(true, can_refuse_tools);
            let problems = match present.and_then(|layer| self.add(&mut layers, layer)) {
                Ok(()) => continue,
                Err(problems) => problems,
            };
            let last_good = file.read_last_good().map(|layer| self.add(&mut layers, layer));
            let instead = match last_good {
                Some(Ok(())) => Instead::LastGood,
                Some(Err(_)) | None if can_refuse => Instead::Closed,
                Some(Err(_)) | None => Instead::Nothing,
            };
            let mut problems = problems.into_iter();
            if let Some(problem) = problems.next() {
                if instead == Instead::Closed {
                    closed.push(file.closed_gate(&problem));
                }
                self.unsound.push(Unsound { problem, instead });
            }
            self.problems.extend(problems);
        }
        if layers.len() == 1 {
            self.rules = built_in();
        }
        self.rules.rules.extend(closed);
    }

    /// Adds a layer, unless it does not go with those before it.
    fn add(&mut self, layers: &mut Vec<LayerRules>, layer: LayerRules) -> Result<(), Vec<Problem>> {
        self.rules = merge(layers.iter().cloned().chain([layer.clone()]))?;
        self.unknown_names.extend(layer.unknown_names.iter().cloned());
        self.left_out.extend(layer.warnings.iter().cloned());
        layers.push(layer);
        Ok(())
    }
}
