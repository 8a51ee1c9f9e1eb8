//! A store with a project in it, and short ways to commit to it.

use std::time::{SystemTime, UNIX_EPOCH};

use pacenote_model::{
    Actor, AgentName, CommitKey, Digest, Effect, Effects, Moment, NewTask, Project, ProjectEffect,
    ProjectId, Refusal, Task, TaskEffect, TaskId, TaskRef, Title, Trust,
};
use pacenote_store::{Committed, Store, StoreError};
use uuid::Uuid;

/// A store and the project at hand.
pub struct Scene {
    /// The store under test.
    pub store: Box<dyn Store>,
    pub project: ProjectId,
    /// Who acts.
    pub actor: Actor,
    /// When; moves only when a test says so.
    pub now: Moment,
}

impl Scene {
    /// Opens a scene on a store with one project, `shop`.
    pub fn new(store: Box<dyn Store>) -> Self {
        let actor = Actor { name: agent("backend"), trust: Trust::Agent, session: None };
        let project = ProjectId::new(Uuid::nil());
        let mut scene = Self { store, project, actor, now: Moment::from_millis(1_000_000) };
        scene.project = scene.add_project("/src/shop/.git", "shop");
        scene
    }

    /// Makes a project known and returns its id.
    pub fn add_project(&mut self, place: &str, name: &str) -> ProjectId {
        let project = Project {
            id: ProjectId::new(Uuid::now_v7()),
            place: place.into(),
            name: name.into(),
            since: self.now,
        };
        let committed =
            self.commit(vec![Effect::Project(ProjectEffect::Seen { project })]).expect("a project");
        committed.applied[0].project().expect("a project")
    }

    /// Commits under a fresh key.
    pub fn commit(&mut self, list: Vec<Effect>) -> Result<Committed, StoreError> {
        self.commit_as(&Uuid::now_v7().to_string(), list)
    }

    /// Commits under a given key.
    pub fn commit_as(&mut self, key: &str, list: Vec<Effect>) -> Result<Committed, StoreError> {
        self.commit_meaning(key, "", list)
    }

    /// Commits under a given key and intent.
    pub fn commit_meaning(
        &mut self,
        key: &str,
        intent: &str,
        list: Vec<Effect>,
    ) -> Result<Committed, StoreError> {
        let effects = Effects {
            project: self.project,
            by: self.actor.clone(),
            at: self.now,
            intent: intent_of(intent),
            tasks_as_of: None,
            list,
        };
        self.store.commit(&effects, &CommitKey::parse(key).expect("a key"))
    }

    /// Commits what must be refused, and returns why.
    pub fn refused(&mut self, list: Vec<Effect>) -> Refusal {
        match self.commit(list) {
            Err(StoreError::Refused(refusal)) => refusal,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    /// Adds a task and returns its id.
    pub fn add(&mut self, title: &str) -> TaskId {
        self.add_with(title, |_| {})
    }

    /// Adds a task after changing it.
    pub fn add_with(&mut self, title: &str, change: impl FnOnce(&mut NewTask)) -> TaskId {
        let mut task = new_task(title);
        change(&mut task);
        let id = task.id;
        self.commit(vec![Effect::Task(TaskEffect::Added { task })]).expect("a task");
        id
    }

    /// Returns a task.
    pub fn task(&self, id: TaskId) -> Task {
        self.store.task(self.project, &TaskRef::Id(id)).expect("the store").expect("the task")
    }

    /// Returns the titles of all tasks, by number.
    pub fn titles(&self) -> Vec<String> {
        let tasks = self.store.tasks(self.project).expect("the store");
        tasks.iter().map(|task| task.title.to_string()).collect()
    }
}

/// Returns an open task with a fresh id.
pub fn new_task(title: &str) -> NewTask {
    NewTask::titled(TaskId::new(Uuid::now_v7()), Title::parse(title).expect("a title"))
}

/// Returns an agent's name.
pub fn agent(name: &str) -> AgentName {
    AgentName::parse(name).expect("an agent name")
}

/// Returns the present moment, for tests about real time.
pub fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Returns a digest that differs between the intents that tests have.
pub fn intent_of(intent: &str) -> Digest {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(intent.bytes()).for_each(|(to, from)| *to = from);
    Digest::new(bytes)
}
