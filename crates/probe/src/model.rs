//! The model: it plays the script and remembers what it was asked.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::http::{Head, Response};
use crate::wire::Answer;
use crate::{Kind, Request, Script};

/// A script being played, and the requests it was played to.
///
/// The requests are not limited in number: a model lives for one test or one check of a set-up.
#[derive(Debug)]
pub(crate) struct Model {
    /// Sets this model's identifiers apart from those of a model that played to the same session
    /// before.
    name: String,
    play: Mutex<Play>,
}

#[derive(Debug)]
struct Play {
    script: Script,
    requests: Vec<Request>,
}

impl Model {
    pub(crate) fn new(name: String, script: Script) -> Self {
        Self { name, play: Mutex::new(Play { script, requests: Vec::new() }) }
    }

    /// Answers a request and remembers it.
    pub(crate) fn answer(&self, head: &Head, body: &[u8]) -> Response {
        let request = Request::new(head, serde_json::from_slice::<Value>(body).ok());
        let mut play = self.play();
        let scripted = match request.kind {
            Kind::Conversation => Some(play.script.next()),
            Kind::Summary | Kind::Side => None,
        };
        let serial = format!("{}_{}", self.name, play.requests.len() + 1);
        let posted_to = request.form.filter(|_| request.method == "POST");
        let response = match (posted_to, &request.body) {
            (Some(form), Some(body)) => {
                form.answer(head.path(), body, &Answer { serial, scripted })
            }
            (Some(form), None) => form.refuse(),
            (None, _) => Response::problem(404, "the scripted model knows no such address"),
        };
        play.requests.push(request);
        response
    }

    /// Remembers a request whose body was refused.
    pub(crate) fn remember_refused(&self, head: &Head) {
        self.play().requests.push(Request::new(head, None));
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.play().requests.clone()
    }

    pub(crate) fn replies_left(&self) -> usize {
        self.play().script.len()
    }

    /// A thread that panicked left the script and the requests as they were, so they stay usable.
    fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
