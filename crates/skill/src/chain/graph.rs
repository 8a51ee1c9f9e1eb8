//! The skills and what they name, as a graph.

use std::collections::{BTreeMap, HashMap, HashSet};

use pacenote_model::SkillKey;
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{
    Kind, Link,
    cycle::{self, Cycle},
};
use crate::{
    choice::stand_in,
    reference::{Named, PluginName, Reference, Target},
};

/// Which skill names which, in an order that does not depend on the order of the skills given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    skills: Vec<Reference>,
    edges: Vec<Edge>,
    missing: Vec<Missing>,
    cycles: Vec<Cycle>,
}

/// A skill that names another; both are places among the skills of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The one that names.
    pub from: usize,
    /// The one that is named.
    pub to: usize,
    /// In which way.
    pub kind: Kind,
    /// The line of that, if there is one.
    pub line: Option<usize>,
    /// The name as it stands there.
    pub named: Reference,
    /// How the name was understood.
    pub route: Route,
}

/// How a name was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// It is the name of the skill.
    Exact,
    /// It is short for a skill of the same plugin, or an agent of the same skill.
    Beside,
    /// It is short for a skill of some plugin.
    Plugin,
    /// The plugin is not installed, and the skill of the same name stands in.
    StandIn,
}

/// A name that no skill has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The place of the skill that names it.
    pub from: usize,
    /// The name.
    pub named: Reference,
    /// In which way.
    pub kind: Kind,
    /// The line of that, if there is one.
    pub line: Option<usize>,
}

/// What can be reached in a graph from some skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The skills that can be reached, and what they name.
    pub graph: Graph,
    /// The names to begin with that no skill has.
    pub unknown: Vec<Reference>,
}

impl Graph {
    /// Returns the graph of skills, each given with what it names.
    ///
    /// A skill that names itself is left alone. One that names another in several places has one
    /// edge, the firmest.
    pub fn of(skills: impl IntoIterator<Item = (Reference, Vec<Link>)>) -> Self {
        let mut links: BTreeMap<Reference, Vec<Link>> = BTreeMap::new();
        for (skill, named) in skills {
            links.entry(without_version(&skill)).or_default().extend(named);
        }
        let (skills, links): (Vec<_>, Vec<_>) = links.into_iter().unzip();
        let names = Names::of(&skills);
        let mut graph = Self::default();
        for (from, links) in links.into_iter().enumerate() {
            let mut edges: BTreeMap<usize, Edge> = BTreeMap::new();
            let mut missing: BTreeMap<Reference, Missing> = BTreeMap::new();
            for Link { target, kind, line } in links {
                let named = without_version(&target);
                match names.find(skills.get(from), &named) {
                    Some((to, _)) if to == from => {}
                    Some((to, route)) => {
                        let edge = Edge { from, to, kind, line, named, route };
                        let place = edges.entry(to).or_insert_with(|| edge.clone());
                        if edge.firmness() < place.firmness() {
                            *place = edge;
                        }
                    }
                    None => {
                        let found = Missing { from, named: named.clone(), kind, line };
                        let place = missing.entry(named).or_insert_with(|| found.clone());
                        if (found.kind, found.line) < (place.kind, place.line) {
                            *place = found;
                        }
                    }
                }
            }
            graph.edges.extend(edges.into_values());
            graph.missing.extend(missing.into_values());
        }
        graph.skills = skills;
        graph.cycles = cycle::cycles(&graph.targets());
        graph
    }

    /// Returns the skills, in order.
    pub fn skills(&self) -> &[Reference] {
        &self.skills
    }

    /// Returns the edges, in the order of the skills they come from and go to.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the names that no skill has, in the order of the skills that name them.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Returns the cycles, by their first members.
    pub fn cycles(&self) -> &[Cycle] {
        &self.cycles
    }

    /// Returns the name of the skill at a place; there is none past the last.
    pub fn name(&self, skill: usize) -> String {
        self.skills.get(skill).map(Reference::canonical).unwrap_or_default()
    }

    /// Returns what can be reached from some skills, these included.
    pub fn reachable(&self, roots: &[Reference]) -> Part {
        let names = Names::of(&self.skills);
        let mut unknown = Vec::new();
        let mut waiting = Vec::new();
        for root in roots {
            match names.find(None, &without_version(root)) {
                Some((skill, _)) => waiting.push(skill),
                None => unknown.push(root.clone()),
            }
        }
        let targets = self.targets();
        let mut reached = HashSet::new();
        while let Some(skill) = waiting.pop() {
            if reached.insert(skill) {
                waiting.extend(targets.get(skill).into_iter().flatten());
            }
        }
        Part { graph: self.only(&reached), unknown }
    }

    /// Returns the part of some skills; whatever these name is among them.
    fn only(&self, reached: &HashSet<usize>) -> Self {
        let mut kept: Vec<usize> = reached.iter().copied().collect();
        kept.sort_unstable();
        let place = |skill: usize| kept.binary_search(&skill).ok();
        let places = |skills: &[usize]| skills.iter().copied().map(place).collect::<Option<_>>();
        Self {
            skills: kept.iter().filter_map(|skill| self.skills.get(*skill).cloned()).collect(),
            edges: self
                .edges
                .iter()
                .filter_map(|edge| {
                    let (from, to) = (place(edge.from)?, place(edge.to)?);
                    Some(Edge { from, to, ..edge.clone() })
                })
                .collect(),
            missing: self
                .missing
                .iter()
                .filter_map(|missing| {
                    Some(Missing { from: place(missing.from)?, ..missing.clone() })
                })
                .collect(),
            cycles: self
                .cycles
                .iter()
                .filter_map(|cycle| {
                    let (members, path) = (places(&cycle.members)?, places(&cycle.path)?);
                    Some(Cycle { members, path })
                })
                .collect(),
        }
    }

    /// Returns for each skill the places of those it names.
    fn targets(&self) -> Vec<Vec<usize>> {
        let mut targets = vec![Vec::new(); self.skills.len()];
        for edge in &self.edges {
            if let Some(targets) = targets.get_mut(edge.from) {
                targets.push(edge.to);
            }
        }
        targets
    }

    /// Returns for each skill the place of its cycle, if it is on one.
    pub(super) fn cycle_of_each(&self) -> Vec<Option<usize>> {
        let mut of_each = vec![None; self.skills.len()];
        for (number, cycle) in self.cycles.iter().enumerate() {
            for &member in &cycle.members {
                if let Some(place) = of_each.get_mut(member) {
                    *place = Some(number);
                }
            }
        }
        of_each
    }

    /// Tells for each skill whether it names another or is named.
    pub(super) fn has_links(&self) -> Vec<bool> {
        let mut linked = vec![false; self.skills.len()];
        let ends = self.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        for skill in ends.chain(self.missing.iter().map(|missing| missing.from)) {
            if let Some(place) = linked.get_mut(skill) {
                *place = true;
            }
        }
        linked
    }
}

impl Edge {
    fn firmness(&self) -> (Kind, Option<usize>, &Reference) {
        (self.kind, self.line, &self.named)
    }

    /// Returns the name of the skill that is not installed, when another stands in for it.
    pub fn stands_in_for(&self) -> Option<String> {
        (self.route == Route::StandIn).then(|| self.named.canonical())
    }
}

/// The places of the skills by name.
struct Names<'g> {
    exact: HashMap<&'g Named, usize>,
    /// The first skill of each key that a plugin has.
    of_plugins: HashMap<(&'g Option<SkillKey>, &'g SkillKey), usize>,
    plugins: HashSet<&'g PluginName>,
}

impl<'g> Names<'g> {
    fn of(skills: &'g [Reference]) -> Self {
        let (mut exact, mut of_plugins) = (HashMap::new(), HashMap::new());
        let mut plugins = HashSet::new();
        for (place, skill) in skills.iter().enumerate() {
            let Target::Named(named) = skill.target() else { continue };
            exact.insert(named, place);
            if let Some(plugin) = &named.plugin {
                of_plugins.entry((&named.agent_of, &named.key)).or_insert(place);
                plugins.insert(plugin);
            }
        }
        Self { exact, of_plugins, plugins }
    }

    /// Finds the skill that a name means where it stands.
    fn find(&self, from: Option<&Reference>, name: &Reference) -> Option<(usize, Route)> {
        let Target::Named(named) = name.target() else { return None };
        let exact = || self.exact.get(named).map(|place| (*place, Route::Exact));
        if let Some(plugin) = &named.plugin {
            return exact().or_else(|| {
                let own = stand_in(name).filter(|_| !self.plugins.contains(plugin))?;
                let Target::Named(own) = own.target() else { return None };
                self.exact.get(own).map(|place| (*place, Route::StandIn))
            });
        }
        let beside = || from.and_then(|from| self.beside(from, named));
        let of_plugin = || self.of_plugins.get(&(&named.agent_of, &named.key)).copied();
        beside()
            .map(|place| (place, Route::Beside))
            .or_else(exact)
            .or_else(|| Some((of_plugin()?, Route::Plugin)))
    }

    /// Finds an agent of the same skill, or a skill of the same plugin.
    fn beside(&self, from: &Reference, name: &Named) -> Option<usize> {
        let Target::Named(from) = from.target() else { return None };
        let plugin = from.plugin.clone();
        let holder = from.agent_of.as_ref().unwrap_or(&from.key);
        let agent = Named { plugin, agent_of: Some(holder.clone()), ..name.clone() };
        let skill = Named { plugin: from.plugin.clone(), ..name.clone() };
        let agent = || self.exact.get(&agent).filter(|_| name.agent_of.is_none());
        let skill = || self.exact.get(&skill).filter(|_| from.plugin.is_some());
        agent().or_else(skill).copied()
    }
}

fn without_version(reference: &Reference) -> Reference {
    match reference.target() {
        Target::Named(named) => Named { version: None, ..named.clone() }.into(),
        Target::Path(_) => reference.clone(),
    }
}

/// Written with names in place of places.
impl Serialize for Graph {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let skills: Vec<String> = self.skills.iter().map(Reference::canonical).collect();
        let name = |place: usize| skills.get(place).map(String::as_str).unwrap_or_default();
        let names = |places: &[usize]| places.iter().map(|place| name(*place)).collect();
        let links = self.edges.iter().map(|edge| WrittenEdge {
            from: name(edge.from),
            to: name(edge.to),
            kind: edge.kind,
            line: edge.line,
            named: edge.named.canonical(),
            route: edge.route,
        });
        let missing = self.missing.iter().map(|missing| WrittenMissing {
            from: name(missing.from),
            named: missing.named.canonical(),
            kind: missing.kind,
            line: missing.line,
        });
        let cycles = self
            .cycles
            .iter()
            .map(|cycle| WrittenCycle { members: names(&cycle.members), path: names(&cycle.path) });
        let mut graph = serializer.serialize_struct("Graph", 4)?;
        graph.serialize_field("skills", &skills)?;
        graph.serialize_field("links", &links.collect::<Vec<_>>())?;
        graph.serialize_field("missing", &missing.collect::<Vec<_>>())?;
        graph.serialize_field("cycles", &cycles.collect::<Vec<_>>())?;
        graph.end()
    }
}

#[derive(Serialize)]
struct WrittenEdge<'g> {
    from: &'g str,
    to: &'g str,
    kind: Kind,
    line: Option<usize>,
    named: String,
    route: Route,
}

#[derive(Serialize)]
struct WrittenMissing<'g> {
    from: &'g str,
    named: String,
    kind: Kind,
    line: Option<usize>,
}

#[derive(Serialize)]
struct WrittenCycle<'g> {
    members: Vec<&'g str>,
    path: Vec<&'g str>,
}
