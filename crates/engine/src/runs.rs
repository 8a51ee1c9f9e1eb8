//! What runs of workflows mean to a session: what it is told of them, and which tools they close.
//!
//! This runs inside hooks: it reads the few runs that are under way, and only where there are any.

use std::path::{Path, PathBuf};

use pacenote_context::fragments::{RunExtent, WorkflowState};
use pacenote_files::{Beneath, Links, canonical, git::ProjectPlace, is_confined};
use pacenote_flow::{
    lifecycle::{
        Action, BlockTools, Layer, Rule, ToolRule,
        shell::{Target, TargetKind, Written, written},
    },
    workflow::{fits_path, is_above},
};
use pacenote_model::{
    AgentName, Event, EventBody, EventKind, KeptRun, Project, RunStatus, SessionId, ToolClass,
    ToolScope, Trust,
};
use pacenote_store::Store;

use crate::{Desk, EngineError, wanted::RuleSentence};

/// The directory of the runs, relative to the root of a project.
pub const RUNS: &str = ".pacenote/runs";

/// The pattern that means every tool, and the word that means our own commands.
const ANY: &str = "*";
const OURS: &str = "pacenote";

/// The runs that are under way in a project, as one session sees them.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Those it moves.
    pub(crate) own: Vec<KeptRun>,
    /// Those of others.
    pub(crate) others: Vec<KeptRun>,
}

/// A run, and how much is told of it.
#[derive(Clone, Debug)]
pub(crate) struct RunNote {
    pub(crate) run: KeptRun,
    pub(crate) extent: RunExtent,
}

impl RunNote {
    fn new(run: &KeptRun, extent: RunExtent) -> Self {
        Self { run: run.clone(), extent }
    }
}

impl Runs {
    /// Reads them for a reader. Its own are those it moves in its session, those that were moved under
    /// its name outside any session, and those of the sessions whose work it continues.
    pub(crate) fn read(
        store: &dyn Store,
        project: &Project,
        sessions: &[SessionId],
        agent: Option<&AgentName>,
    ) -> Result<Self, EngineError> {
        let is_own = |run: &KeptRun| match run.session {
            Some(session) => sessions.contains(&session),
            None => agent == Some(&run.agent) && !run.agent.is_reserved(),
        };
        let (own, others) = store.runs(project.id)?.into_iter().partition(is_own);
        Ok(Self { own, others })
    }

    /// Tells whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.own.is_empty() && self.others.is_empty()
    }

    /// Returns what is told of them to a reader who has lost its context: the steps at hand.
    pub(crate) fn whole(&self) -> Vec<RunNote> {
        let own = self.own.iter().map(|run| RunNote::new(run, RunExtent::Whole));
        own.chain(self.others.iter().map(|run| RunNote::new(run, RunExtent::Waiting))).collect()
    }

    /// Returns what is told of them to a reader who has not: a line of each that was not told yet,
    /// and the whole step where somebody else led to it.
    pub(crate) fn changes(
        &self,
        reader: Option<&AgentName>,
        was_told: impl Fn(&str) -> bool,
    ) -> Vec<RunNote> {
        let is_new = |run: &&KeptRun| !was_told(WorkflowState::id(run).as_str());
        let note = |run: &KeptRun| {
            let is_seen = reader == Some(&run.agent);
            RunNote::new(run, if is_seen { RunExtent::Line } else { RunExtent::Whole })
        };
        self.own.iter().filter(is_new).map(note).collect()
    }

    /// Returns the role of the agents to which the step at hand gives work: it says more than the
    /// type that a host knows them by.
    pub(crate) fn agent_role(&self) -> Option<&str> {
        self.own.iter().find_map(|run| run.card.agent_role.as_deref())
    }

    /// Returns the rules by which steps close tools.
    /// What the step at hand leaves open is not refused.
    pub(crate) fn gates(&self, event: &Event, place: &ProjectPlace) -> Vec<Rule> {
        let is_subagent = event.subagent.is_some();
        let changed = Changed::by(event, place);
        let otherwise = if let EventBody::BeforeTool { tool } = &event.body
            && tool.class == ToolClass::Shell
        {
            Lifted::Unseen
        } else {
            Lifted::Nothing
        };
        let directory = |run: &KeptRun| Path::new(RUNS).join(run.number.get().to_string());
        let directories: Vec<PathBuf> = self.own.iter().map(directory).collect();
        let closes = |run: &KeptRun| {
            let lifts = |changed: &Changed| changed.lifts(scope_of(run, is_subagent), &directories);
            let lifted = changed.as_ref().map_or(otherwise, lifts);
            gate(run, is_subagent, lifted)
        };
        self.own.iter().filter_map(closes).collect()
    }

    /// Returns what the session does next, said again because an agent has just come back: what
    /// stands before its answer is not read again.
    pub(crate) fn reminders(&self) -> Vec<RuleSentence> {
        let working = self.own.iter().filter(|run| run.status == RunStatus::Working);
        let sentence = |run: &KeptRun| RuleSentence {
            rule: gate_name(run),
            trust: if run.file.is_some() { Trust::Project } else { Trust::User },
            text: format!(
                "An agent is back. Run {} of `{}` is still at step {}/{}, {}. {}",
                run.number,
                run.workflow,
                run.card.step,
                run.card.total,
                run.card.title,
                run.card.next
            ),
            is_repeated: true,
        };
        working.map(sentence).collect()
    }
}

/// What of a gate does not hold for a tool, because of the files that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lifted {
    /// Everything holds.
    Nothing,
    /// Everything holds, because it does not show what is changed.
    Unseen,
    /// Only that files may not be changed: the tool may be closed by its name.
    Edit,
    /// Nothing holds.
    Everything,
}

/// What a tool changes, with paths relative to the root: all of it known, and each only by its name
/// inside the project.
#[derive(Debug)]
struct Changed {
    targets: Vec<Target>,
    is_command: bool,
}

impl Changed {
    /// Returns what a tool changes; `None` where that is not known, or not confined to the project. A
    /// repository may bring links, so nothing that has one on its way is.
    fn by(event: &Event, place: &ProjectPlace) -> Option<Self> {
        let EventBody::BeforeTool { tool } = &event.body else { return None };
        if tool.has_other_paths {
            return None;
        }
        let directory = Path::new(&event.directory);
        match tool.class {
            ToolClass::Edit => {
                let path = below_root(&directory.join(tool.path.as_ref()?), place)?;
                let is_confined = is_confined(&place.root, Path::new(&path));
                let targets = vec![Target { path, kind: TargetKind::File }];
                is_confined.then_some(Self { targets, is_command: false })
            }
            ToolClass::Shell => {
                let targets = match written(tool.command.as_deref()?) {
                    Written::Paths(targets) => targets,
                    Written::Nothing | Written::Unknown => return None,
                };
                let confined = |target: &Target| {
                    let path = below_root(&directory.join(&target.path), place)?;
                    let is_confined = is_confined_as(target.kind, &place.root, Path::new(&path));
                    is_confined.then_some(Target { path, kind: target.kind })
                };
                let targets: Option<Vec<Target>> = targets.iter().map(confined).collect();
                targets.map(|targets| Self { targets, is_command: true })
            }
            ToolClass::Agent | ToolClass::Read | ToolClass::Todo | ToolClass::Other => None,
        }
    }

    /// Returns what of a gate does not hold.
    /// The directories of the session's runs are open: that is where files are handed in.
    fn lifts(&self, scope: &ToolScope, directories: &[PathBuf]) -> Lifted {
        let is_handed_in = |target: &Target| {
            directories.iter().any(|directory| Path::new(&target.path).starts_with(directory))
        };
        let fits = |target: &Target, pattern: &String| match target.kind {
            TargetKind::File => fits_path(pattern, &target.path),
            // A file that is open may be in a directory that does not exist yet.
            TargetKind::Directory => {
                fits_path(pattern, &target.path) || is_above(&target.path, pattern)
            }
            // Which names a tree has does not show.
            TargetKind::Tree => false,
        };
        let is_open = |target: &Target| {
            is_handed_in(target) || scope.edit.iter().any(|pattern| fits(target, pattern))
        };
        if !self.targets.iter().all(is_open) {
            Lifted::Nothing
        } else if !self.is_command && self.targets.iter().all(is_handed_in) {
            Lifted::Everything
        } else {
            Lifted::Edit
        }
    }
}

/// Reports whether nothing that is written at a path leads out of the project by a link.
fn is_confined_as(kind: TargetKind, root: &Path, below: &Path) -> bool {
    // A directory that exists is confined if a file in it would be.
    let in_directory = || is_confined(root, &below.join(NEW));
    match kind {
        TargetKind::File => is_confined(root, below),
        TargetKind::Directory => is_confined(root, below) || in_directory(),
        TargetKind::Tree => {
            // What is copied would be written through a link that is there.
            let is_plain = |root: Beneath| root.has_no_links(below, TREE_ENTRIES);
            in_directory() && Beneath::open(root, Links::Follow).is_ok_and(is_plain)
        }
    }
}

/// Most entries that are looked at below the place of a copy. This runs in a hook, and a copy that a
/// step suggests goes to a place that is empty or nearly so.
const TREE_ENTRIES: usize = 10_000;

/// A name that nothing has.
const NEW: &str = ".pacenote-new";

/// Returns a path relative to the root of a project.
fn below_root(path: &Path, place: &ProjectPlace) -> Option<String> {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    // The shortest way to the root: a longer one leads through a link inside the project.
    let is_root = |above: &&&Path| canonical(above).is_ok_and(|real| real == place.root);
    let root = above.iter().find(is_root)?;
    let below = path.strip_prefix(root).ok()?;
    // `a/./b` is `a/b`; what has `..` stays, and fits nothing.
    Some(below.components().collect::<PathBuf>().to_str()?.to_owned())
}

/// Returns the rules by which the runs of a project close tools, whoever they bind.
pub fn gates(desk: &Desk) -> Result<Vec<Rule>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Vec::new()) };
    let runs = here.store.runs(here.project.id)?;
    let closes = |run: &KeptRun| {
        let closed = |is_subagent| gate(run, is_subagent, Lifted::Nothing);
        closed(false).or_else(|| closed(true))
    };
    Ok(runs.iter().filter_map(closes).collect())
}

/// Returns the name by which a person opens what a run closes.
pub(crate) fn gate_name(run: &KeptRun) -> String {
    format!("run-{}", run.number.get())
}

/// Returns what binds a session, or an agent that it sent. Who does handed work is bound by what the
/// hand-out says, and not by what binds the one who hands it out.
fn scope_of(run: &KeptRun, is_subagent: bool) -> &ToolScope {
    run.card.agent_tools.as_ref().filter(|_| is_subagent).unwrap_or(&run.card.tools)
}

/// Returns the rule by which the step at hand closes tools, if it does.
pub(crate) fn gate(run: &KeptRun, is_subagent: bool, lifted: Lifted) -> Option<Rule> {
    let card = &run.card;
    let ToolScope { allow, block, edit } = scope_of(run, is_subagent);
    // What comes next is for those who lead the run: an agent that was sent must not move it.
    let then =
        if is_subagent { "Go on without it, and say so when you hand back." } else { &card.next };
    let step = format!("step {}/{} of run {} ({})", card.step, card.total, run.number, card.title);
    let closed = |tools: Vec<String>, except: Vec<String>, what: &str| ToolRule {
        tools,
        except,
        command: None,
        when: None,
        reason: format!("{step} {what}. {then}"),
    };
    let edits = match lifted {
        Lifted::Nothing | Lifted::Unseen => false,
        Lifted::Edit => true,
        Lifted::Everything => return None,
    };
    let class = ToolClass::Edit.word();
    let is_unseen = lifted == Lifted::Unseen;
    let refused = if is_unseen && block.iter().any(|word| word == class) {
        format!("allows no changes except in `{RUNS}/{}/`{UNSEEN}", run.number.get())
    } else {
        "does not allow this tool".to_owned()
    };
    let mut rules = Vec::new();
    let block: Vec<String> =
        block.iter().filter(|word| !edits || *word != class).cloned().collect();
    if !block.is_empty() {
        rules.push(closed(block, vec![OURS.to_owned()], &refused));
    }
    if !edit.is_empty() && !edits {
        let unseen = if is_unseen { UNSEEN } else { "" };
        let what = format!("allows changes only to {}{unseen}", open_paths(run, edit));
        rules.push(closed(vec![class.to_owned()], vec![OURS.to_owned()], &what));
    }
    if !allow.is_empty() {
        let own = [OURS.to_owned()];
        // What the paths leave open is decided by them.
        let by_paths = (!edit.is_empty()).then(|| class.to_owned());
        let except = allow.iter().cloned().chain(own).chain(by_paths).collect();
        rules.push(closed(vec![ANY.to_owned()], except, &refused));
    }
    if rules.is_empty() {
        return None;
    }
    Some(Rule {
        name: gate_name(run),
        layer: Layer::User,
        line: 0,
        on: EventKind::BeforeTool,
        enabled: true,
        when: None,
        action: Action::BlockTools(BlockTools { rules }),
    })
}

/// What a command is told that may well have been meant for an open file.
const UNSEEN: &str = "; write there with the tools for files, or with a plain command such as \
                      `cat > FILE <<'EOF'`, `cp A B` or `git diff > FILE`";

/// Most paths that a refusal names; nobody reads more.
const NAMED: usize = 5;

/// Returns the paths that a step leaves open, as a reader is given them.
fn open_paths(run: &KeptRun, edit: &[String]) -> String {
    let mut named: Vec<String> = edit.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    if edit.len() > NAMED {
        named.push(format!("{} more", edit.len() - NAMED));
    }
    format!("{} and `{RUNS}/{}/`", named.join(", "), run.number.get())
}

#[cfg(test)]
mod tests {
    use pacenote_model::{Digest, Moment, Number, RunCard};

    use super::*;

    #[test]
    fn a_step_that_somebody_else_led_to_is_told_whole_and_each_step_once() {
        let runs = Runs { own: vec![run("backend", 4), run("human", 5)], others: Vec::new() };
        let backend = AgentName::parse("backend").unwrap();
        let told = |was_told: &dyn Fn(&str) -> bool| {
            let notes = runs.changes(Some(&backend), was_told);
            notes.iter().map(|note| (note.run.revision, note.extent)).collect::<Vec<_>>()
        };
        assert_eq!(told(&|_| false), [(4, RunExtent::Line), (5, RunExtent::Whole)]);
        assert_eq!(told(&|id| id.ends_with("/5")), [(4, RunExtent::Line)]);
        assert_eq!(told(&|_| true), []);
    }

    #[test]
    fn who_was_sent_is_not_told_to_move_the_run() {
        let reason = |is_subagent| {
            let rule = gate(&run("backend", 1), is_subagent, Lifted::Nothing).unwrap();
            let Action::BlockTools(BlockTools { rules }) = rule.action else { panic!("{rule:?}") };
            rules.into_iter().map(|rule| rule.reason).collect::<String>()
        };
        insta::assert_snapshot!(reason(false), @"step 1/3 of run #1 (Look around) does not allow this tool. Run this: `pacenote flow next 1 --at 1`");
        insta::assert_snapshot!(reason(true), @"step 1/3 of run #1 (Look around) does not allow this tool. Go on without it, and say so when you hand back.");
    }

    fn run(agent: &str, revision: u32) -> KeptRun {
        let tools =
            ToolScope { allow: Vec::new(), block: vec!["edit".to_owned()], edit: Vec::new() };
        KeptRun {
            number: Number::new(1),
            workflow: "change".to_owned(),
            definition: Digest::new([7; 32]),
            file: None,
            task: None,
            session: None,
            agent: AgentName::parse(agent).unwrap(),
            status: RunStatus::Working,
            revision,
            began: Moment::from_millis(0),
            moved: Moment::from_millis(0),
            state: String::new(),
            card: RunCard {
                step: 1,
                total: 3,
                title: "Look around".to_owned(),
                next: "Run this: `pacenote flow next 1 --at 1`".to_owned(),
                tools,
                ..RunCard::default()
            },
        }
    }
}
