//! Every loop ends: it goes through a step that has a limit, or through a gate that sends back.
//!
//! The ways into steps with a limit can be gone only so often, and so can the ways by which gates
//! send back. A run that never ends would have to go round on the others, so those must have no
//! circle. What lies beyond a limit is a place of its own here: it is come to by every way into
//! the step, as often as one likes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Flaw, Subject,
    ways::{gate_of, spread},
};
use crate::{
    problem::{listed, shown},
    workflow::definition::{Step, StepId, Target},
};

/// Most steps of a circle that are named.
const NAMED: usize = 8;

/// Somewhere a run can go as often as it likes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place<'w> {
    /// Into a step without a limit, or past it once it was entered.
    Step(&'w StepId),
    /// Where a step leads that was entered too often.
    Beyond(&'w StepId),
}

/// Notes circles that nothing ends.
pub(super) fn check_loops(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    let leads = endless_ways(&subject.workflow.steps);
    let next = |place| leads.get(&place).into_iter().flatten().copied();
    let after: BTreeMap<_, _> =
        leads.keys().map(|place| (*place, spread(next(*place), next))).collect();
    let leads_to = |from: &Place<'_>, to: &Place<'_>| {
        after.get(from).is_some_and(|places| places.contains(to))
    };
    let mut told: BTreeSet<&StepId> = BTreeSet::new();
    for step in subject.clear_steps() {
        let places = [Place::Step(&step.id), Place::Beyond(&step.id)];
        for place in places.iter().filter(|place| leads_to(place, place)) {
            if told.contains(&step.id) {
                continue;
            }
            let circle: BTreeSet<Place<'_>> = leads
                .keys()
                .copied()
                .filter(|other| leads_to(place, other) && leads_to(other, place))
                .collect();
            flaws.push(endless(step, &circle, &subject.workflow.steps));
            told.extend(circle.iter().map(Place::id));
        }
    }
}

fn endless(first: &Step, circle: &BTreeSet<Place<'_>>, steps: &[Step]) -> Flaw {
    let is_beyond = circle.iter().any(|place| matches!(place, Place::Beyond(_)));
    let hint = if is_beyond {
        "the `then` of a limit leads back into it; let it lead out of the circle"
    } else {
        "give a step of it a `limit`, or send work back by a `gate`"
    };
    let circle: BTreeSet<&StepId> = circle.iter().map(Place::id).collect();
    if circle.len() == 1 {
        return Flaw::of(first, "the step leads to itself without end", hint);
    }
    let mut names: Vec<String> = Vec::new();
    for id in steps.iter().map(|step| &step.id).filter(|id| circle.contains(id)) {
        let name = shown(id.as_str());
        if names.len() < NAMED && !names.contains(&name) {
            names.push(name);
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let more = if circle.len() > NAMED { " and others" } else { "" };
    let message = format!("{}{more} lead in a circle without end", listed(&names));
    Flaw::of(first, message, hint)
}

/// Returns the ways that can be gone as often as one likes.
fn endless_ways(steps: &[Step]) -> BTreeMap<Place<'_>, BTreeSet<Place<'_>>> {
    let limits: BTreeMap<&StepId, Option<&Target>> = steps
        .iter()
        .filter_map(|step| step.limit.as_ref().map(|limit| (&step.id, limit.then.as_ref())))
        .collect();
    let mut leads: BTreeMap<Place<'_>, BTreeSet<Place<'_>>> = BTreeMap::new();
    for step in steps {
        let pass = gate_of(step).map(|gate| &gate.pass);
        let places = step.targets().chain(pass).filter_map(|target| Place::of(target, &limits));
        leads.entry(Place::Step(&step.id)).or_default().extend(places);
    }
    for (id, then) in &limits {
        let places = then.iter().copied().filter_map(|target| Place::of(target, &limits));
        leads.entry(Place::Beyond(id)).or_default().extend(places);
    }
    leads
}

impl<'w> Place<'w> {
    /// Returns where a way leads that can be gone as often as one likes.
    fn of(target: &'w Target, limits: &BTreeMap<&StepId, Option<&Target>>) -> Option<Self> {
        let Target::Step(id) = target else { return None };
        match limits.get(id) {
            // The person is asked beyond the limit.
            Some(None) => None,
            Some(Some(_)) => Some(Self::Beyond(id)),
            None => Some(Self::Step(id)),
        }
    }

    const fn id(&self) -> &'w StepId {
        match self {
            Self::Step(id) | Self::Beyond(id) => id,
        }
    }
}
