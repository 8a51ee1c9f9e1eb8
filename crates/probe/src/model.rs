//! The model: it plays the script and remembers what it was asked.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::http::{Head, Response};
use crate::wire::{self, Answer};
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
    /// The input tokens the script reported last, which is how long the client takes its
    /// conversation to be.
    conversation_tokens: u64,
    requests: Vec<Request>,
}

impl Model {
    pub(crate) fn new(name: String, script: Script) -> Self {
        let play = Play { script, conversation_tokens: 0, requests: Vec::new() };
        Self { name, play: Mutex::new(play) }
    }

    /// Answers a request and remembers it.
    pub(crate) fn answer(&self, head: &Head, body: &[u8]) -> Response {
        let request = Request::new(head, serde_json::from_slice::<Value>(body).ok());
        let mut play = self.play();
        let scripted = match request.kind {
            Kind::Conversation => Some(play.script.next(&request)),
            Kind::Summary | Kind::Title | Kind::Router | Kind::Side => None,
        };
        if let Some(reply) = &scripted {
            play.conversation_tokens = reply.input_tokens;
        }
        let conversation_tokens = play.conversation_tokens;
        let serial = format!("{}_{}", self.name, play.requests.len() + 1);
        let posted_to = request.wire.filter(|_| request.method == "POST");
        let response = match (posted_to, &request.body) {
            (Some(wire), Some(body)) => {
                let answer = Answer { serial, scripted, conversation_tokens };
                wire.answer(head.path(), body, &answer)
            }
            (Some(wire), None) => wire.refuse(),
            (None, _) => beside_the_forms(head),
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

/// Answers a request that is not posted to a wire form.
fn beside_the_forms(head: &Head) -> Response {
    let models = if head.method == "GET" { wire::models(head.path()) } else { None };
    models.unwrap_or_else(|| Response::problem(404, "the scripted model knows no such address"))
}
