//! The ways of a workflow, as a graph.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    problem::nearest,
    workflow::definition::{Gate, Handler, Step, StepId, Target, Workflow},
};

/// Most names of steps that do not exist for which is looked what was meant. Who has more slips
/// than that in one file is told of some of their consequences too.
const GUESSES: usize = 50;

/// Where each step can lead. Steps of the same name count as one.
pub(super) struct Ways<'w> {
    leads: BTreeMap<&'w StepId, BTreeSet<&'w StepId>>,
    /// The steps after which all may be done.
    pub(super) ending: BTreeSet<&'w StepId>,
    /// The step the workflow begins with, if there is one.
    pub(super) entry: Option<&'w StepId>,
}

impl<'w> Ways<'w> {
    /// Returns the ways of a workflow.
    ///
    /// A way into a step that has a limit leads to what comes beyond the limit too. A target that
    /// does not exist was told of. It counts as the one that was probably meant, and as an end,
    /// so that whoever slips in a name is not told of everything that follows from it.
    pub(super) fn of(workflow: &'w Workflow) -> Self {
        let steps: BTreeMap<_, _> = workflow.steps.iter().map(|step| (&step.id, step)).collect();
        let mut meant = Meant { steps: &steps, guesses: BTreeMap::new() };
        let entry = meant.step(&workflow.entry);
        let mut ways = Self { leads: BTreeMap::new(), ending: BTreeSet::new(), entry };
        for step in &workflow.steps {
            let leads = ways.leads.entry(&step.id).or_default();
            for id in all_targets(step).into_iter().flat_map(|way| beyond(way, &steps)) {
                if id.is_none_or(|id| !steps.contains_key(id)) {
                    ways.ending.insert(&step.id);
                }
                leads.extend(id.and_then(|id| meant.step(id)));
            }
        }
        ways
    }

    /// Tells whether any step leads to another.
    pub(super) fn lead_to(&self, id: &StepId) -> bool {
        self.leads.values().any(|leads| leads.contains(id))
    }

    /// Returns the steps that can be come to from others, and those themselves.
    pub(super) fn reached(
        &self,
        from: impl IntoIterator<Item = &'w StepId>,
    ) -> BTreeSet<&'w StepId> {
        spread(from, |id| self.leads.get(id).into_iter().flatten().copied())
    }

    /// Returns the steps from which others can be come to, and those themselves.
    pub(super) fn reaching(
        &self,
        to: impl IntoIterator<Item = &'w StepId>,
    ) -> BTreeSet<&'w StepId> {
        let mut back: BTreeMap<&StepId, BTreeSet<&StepId>> = BTreeMap::new();
        for (from, leads) in &self.leads {
            for to in leads {
                back.entry(to).or_default().insert(from);
            }
        }
        spread(to, |id| back.get(id).into_iter().flatten().copied())
    }
}

/// The steps that names stand for.
struct Meant<'m, 'w> {
    steps: &'m BTreeMap<&'w StepId, &'w Step>,
    /// What was found for names that do not exist.
    guesses: BTreeMap<&'w StepId, Option<&'w StepId>>,
}

impl<'w> Meant<'_, 'w> {
    /// Returns the step of a name, or else the one that was probably meant.
    fn step(&mut self, id: &'w StepId) -> Option<&'w StepId> {
        if let Some((known, _)) = self.steps.get_key_value(id) {
            return Some(known);
        }
        if self.guesses.len() == GUESSES {
            return self.guesses.get(id).copied().flatten();
        }
        let steps = self.steps;
        *self.guesses.entry(id).or_insert_with(|| {
            let near = nearest(id.as_str(), steps.keys().map(|known| known.as_str()))?;
            steps.keys().copied().find(|known| known.as_str() == near)
        })
    }
}

/// Returns everything that can be come to in steps, and what it began with.
pub(super) fn spread<P: Copy + Ord, N: IntoIterator<Item = P>>(
    from: impl IntoIterator<Item = P>,
    next: impl Fn(P) -> N,
) -> BTreeSet<P> {
    let mut open: Vec<P> = from.into_iter().collect();
    let mut found: BTreeSet<P> = open.iter().copied().collect();
    while let Some(place) = open.pop() {
        open.extend(next(place).into_iter().filter(|place| found.insert(*place)));
    }
    found
}

/// Returns where a step can lead before limits are looked at: by outcomes, by errors, and a gate
/// by passing and by sending back.
fn all_targets(step: &Step) -> Vec<Way<'_>> {
    let gate = gate_of(step);
    let pass = gate.map(|gate| Way::To(&gate.pass));
    let work = gate.map(|gate| Way::Back(&gate.work));
    step.targets().map(Way::To).chain(pass).chain(work).collect()
}

/// A way out of a step.
#[derive(Clone, Copy)]
enum Way<'w> {
    To(&'w Target),
    Back(&'w StepId),
}

/// Returns the steps a way comes to, also when the first was entered too often; none is the end.
fn beyond<'w>(
    way: Way<'w>,
    steps: &BTreeMap<&'w StepId, &'w Step>,
) -> BTreeSet<Option<&'w StepId>> {
    let id_of = |target: &'w Target| match target {
        Target::Step(id) => Some(id),
        Target::End => None,
    };
    let mut next = Some(match way {
        Way::To(target) => id_of(target),
        Way::Back(id) => Some(id),
    });
    let mut places = BTreeSet::new();
    while let Some(place) = next.filter(|place| places.insert(*place)) {
        let step = place.and_then(|id| steps.get(id));
        let limit = step.and_then(|step| step.limit.as_ref());
        next = limit.and_then(|limit| limit.then.as_ref()).map(id_of);
    }
    places
}

/// Returns the gate of a step.
pub(super) const fn gate_of(step: &Step) -> Option<&Gate> {
    match &step.handler {
        Handler::Gate(gate) => Some(gate),
        Handler::Work
        | Handler::Dispatch(_)
        | Handler::Ask(_)
        | Handler::Check(_)
        | Handler::Choose(_) => None,
    }
}
