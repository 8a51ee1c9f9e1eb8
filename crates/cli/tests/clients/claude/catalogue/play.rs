//! What a model that follows a workflow does, and who it sends.

use pacenote_probe::{Reply, Script, Server};
use serde_json::{Value, json};

use super::super::flow::bash;

/// How the line begins that tells the conversations of agents apart.
pub(super) const MARK: &str = "For the ";

/// An agent to be sent: who it is, what it is asked, and what it does.
pub(super) struct Agent {
    pub(super) name: String,
    pub(super) errand: String,
    pub(super) does: Vec<Reply>,
}

impl Agent {
    /// An agent that runs commands, one after the other, and hands something back.
    pub(super) fn new<const COMMANDS: usize>(
        name: &str,
        errand: impl Into<String>,
        commands: [&str; COMMANDS],
        answer: &str,
    ) -> Self {
        let commands = commands.into_iter().map(bash);
        let does = commands.chain([Reply::text(answer)]).collect();
        Self { name: name.to_owned(), errand: errand.into(), does }
    }

    /// A reviewer that looks, and writes and answers what it saw: the transcript shows both.
    pub(super) fn reviewer(
        name: &str,
        errand: &str,
        look: &str,
        report: &str,
        verdict: &str,
    ) -> Self {
        let looks = format!("if {look}; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi");
        // A command of its own: a step that closes files lets plain ones write the report.
        let writes = format!("cat > {report} <<'END'\nRESULT: {verdict}\nEND");
        let answer = format!("RESULT: {verdict}\nREPORT: {report}");
        Self::new(name, errand, [looks.as_str(), writes.as_str()], &answer)
    }

    /// What tells the conversation of this agent from all others.
    fn mark(&self) -> String {
        format!("{MARK}{}.", self.name)
    }
}

/// A play in the making.
#[derive(Default)]
pub(super) struct Play {
    leading: Vec<Reply>,
    sent: Vec<(String, Vec<Reply>)>,
}

impl Play {
    /// Has the model run commands, all in one message.
    pub(super) fn run<const COMMANDS: usize>(mut self, commands: [&str; COMMANDS]) -> Self {
        let call = |command| ("Bash", json!({ "command": command, "description": "do it" }));
        self.leading.push(Reply::tools(commands.map(call)));
        self
    }

    /// Has it send agents, all in one message.
    pub(super) fn send<const AGENTS: usize>(mut self, agents: [Agent; AGENTS]) -> Self {
        let calls: Vec<(&str, Value)> =
            agents.iter().map(|agent| ("Agent", called(agent))).collect();
        self.leading.push(Reply::tools(calls));
        self.sent.extend(agents.map(|agent| (agent.mark(), agent.does)));
        self
    }

    /// Has it write a file of the project and run a command.
    pub(super) fn write(self, file: &str, content: &str, command: &str) -> Self {
        let write = format!("cat > {file} <<'END'\n{content}END");
        self.run([write.as_str(), command])
    }

    /// Has it end its turn with something to say.
    pub(super) fn say(mut self, text: &str) -> Self {
        self.leading.push(Reply::text(text));
        self
    }

    /// Starts the model, and returns how the conversations of its agents are told apart.
    pub(super) fn start(self) -> (Server, Vec<String>) {
        let marks = self.sent.iter().map(|(mark, _)| mark.clone()).collect();
        let script = self
            .sent
            .into_iter()
            .fold(Script::new(self.leading), |script, (mark, does)| script.apart(mark, does));
        (Server::start(script).expect("the scripted model"), marks)
    }
}

fn called(agent: &Agent) -> Value {
    json!({
        "description": agent.name,
        "prompt": format!("{}\n{}", agent.mark(), agent.errand),
        "subagent_type": "general-purpose",
        "run_in_background": false,
    })
}
