//! A workplace with the client, and sessions with it.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf, time::Duration};

use pacenote_fleet::{Ending, Launch, Running, open};
use pacenote_probe::{Kind, Reply, Request, Script, Server};
use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

/// Only a failing run waits this long: a turn takes 0.1 to 2 s.
const PATIENCE: Duration = Duration::from_mins(2);

/// What the client may do without asking, for nobody is there to be asked.
const ALLOWED_TOOLS: &str = "Bash,Write,Agent,TaskCreate,TaskUpdate,TodoWrite";

/// The title of a task, as it stands nowhere but in our notes.
pub(super) const TITLE: &str = "Polish the brass compass";

/// How each answer of ours begins.
pub(super) const NOTES: &str = "<pacenote ";

/// The client, and a desk at which pacenote is installed.
pub(super) struct Workplace {
    claude: PathBuf,
    pub(super) desk: Desk,
}

impl Workplace {
    /// Sets up a workplace whose hooks are registered for the person; `None` when the run was told
    /// to do without clients.
    pub(super) fn new() -> Option<Self> {
        let place = Self::without_hooks()?;
        place.init("user");
        Some(place)
    }

    /// Sets up a workplace where nothing is registered yet.
    pub(super) fn without_hooks() -> Option<Self> {
        let claude = crate::client("PACENOTE_CLIENT_CLAUDE")?;
        Some(Self { claude, desk: Desk::with_installed(env!("CARGO_BIN_EXE_pacenote")) })
    }

    /// Registers the hooks for a scope and takes the project into use.
    pub(super) fn init(&self, scope: &str) {
        self.person(&format!("init --yes --host claude --scope {scope}"));
    }

    /// Runs a command that has to succeed, as the person.
    pub(super) fn person(&self, line: &str) -> String {
        let ran = self.desk.run(line);
        assert_eq!(ran.code, "0", "{line}\n{}{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    /// Describes the client, without anything to do.
    pub(super) fn program(&self) -> Launch {
        self.desk.launch(&self.claude).variable("PATH", "/usr/local/bin:/usr/bin:/bin").variables([
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ])
    }

    /// Describes the client in the project, talking to a model.
    pub(super) fn launch(&self, model: &Server) -> Launch {
        self.program()
            .arguments(["-p", "--input-format", "stream-json"])
            .arguments(["--output-format", "stream-json", "--verbose", "--include-hook-events"])
            .arguments(["--allowedTools", ALLOWED_TOOLS])
            .variable("ANTHROPIC_BASE_URL", model.base_url())
            .variable("ANTHROPIC_API_KEY", "fake")
    }

    /// Begins a session in the project.
    pub(super) fn session(&self, model: &Server) -> Session {
        Session::begin(&self.launch(model))
    }

    /// Makes a task and has the agent of later sessions work on it.
    pub(super) fn claim(&mut self, task: &str) {
        self.person(&format!("task add {task}"));
        self.desk.set("PACENOTE_AGENT", "backend");
        assert_eq!(self.desk.run("task claim '#1'").code, "0");
    }

    /// Writes the person's own rules.
    pub(super) fn rules(&self, rules: &str) {
        self.desk.write("../home/.config/pacenote/lifecycle.yaml", rules);
    }

    /// Makes sure that nothing went wrong: `doctor` has nothing to say against anything.
    pub(super) fn must_be_well(&self) {
        let report = self.desk.run("doctor --json").json();
        let checks = report["checks"].as_array().expect("checks");
        let ill: Vec<_> = checks.iter().filter(|check| check["health"] != "ok").collect();
        assert!(!checks.is_empty() && ill.is_empty(), "{ill:#?}");
    }

    /// Reads a file below the desk's root; `None` when it is not there.
    pub(super) fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.desk.root().join(path)).ok()
    }

    /// Returns everything that pacenote has written down.
    pub(super) fn data(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut directories = vec![self.desk.data()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let content = std::fs::read(&path).expect("a file");
                    files.insert(path, content);
                }
            }
        }
        files
    }
}

/// What hooks answered, by the client's own account: the answers to each event, in order.
pub(super) type Answers = BTreeMap<String, Vec<Value>>;

/// A session with the client.
pub(super) struct Session {
    client: Running,
    answers: Answers,
    /// The client's name for the session.
    pub(super) id: String,
}

impl Session {
    /// Starts the client; the session begins with the first prompt.
    pub(super) fn begin(launch: &Launch) -> Self {
        let client = open(launch).expect("the client");
        Self { client, answers: Answers::new(), id: String::new() }
    }

    /// Sends a prompt and returns the answer.
    pub(super) fn ask(&mut self, prompt: &str) -> String {
        let message = json!({ "type": "user", "message": { "role": "user", "content": prompt } });
        self.client.send_line(&message.to_string()).expect("a client that reads");
        self.answer()
    }

    /// Waits for the next answer; a line of type `result` ends every turn.
    pub(super) fn answer(&mut self) -> String {
        loop {
            let line = self.next_line().expect("a result");
            if line["type"] == "result" {
                assert_eq!(line["is_error"], false, "{line}");
                line["session_id"].as_str().expect("an id").clone_into(&mut self.id);
                return line["result"].as_str().unwrap_or_default().to_owned();
            }
        }
    }

    /// Ends the session and returns what hooks answered in it.
    pub(super) fn end(mut self) -> Answers {
        self.client.close_stdin();
        while self.next_line().is_some() {}
        let finished = self.client.finish(PATIENCE);
        assert_eq!(finished.ending, Ending::Exited(0), "{}", finished.errors.text());
        self.answers
    }

    /// Returns the next thing the client says. No hook may ever fail in its eyes.
    fn next_line(&mut self) -> Option<Value> {
        let line = self.client.next_line(PATIENCE).expect("a line in time")?;
        let line: Value = serde_json::from_str(&line).expect("JSON");
        if line["subtype"] == "hook_response" {
            let ending = (&line["exit_code"], &line["outcome"], &line["stderr"]);
            assert_eq!(ending, (&json!(0), &json!("success"), &json!("")), "{line}");
            let [event, answer] = ["hook_event", "stdout"].map(|name| line[name].as_str());
            let answer = match answer.expect("an answer") {
                "" => Value::Null,
                answer => serde_json::from_str(answer).expect("an answer in JSON"),
            };
            self.answers.entry(event.expect("an event").to_owned()).or_default().push(answer);
        }
        Some(line)
    }
}

/// Starts a model that gives these replies.
pub(super) fn model<const REPLIES: usize>(replies: [Reply; REPLIES]) -> Server {
    Server::start(Script::new(replies)).expect("the scripted model")
}

/// Returns the requests of the conversation, of the main agent and of subagents.
pub(super) fn conversation(model: &Server) -> Vec<Request> {
    let requests = model.requests().into_iter();
    requests.filter(|request| request.kind == Kind::Conversation).collect()
}

/// Counts a text in each of these requests.
pub(super) fn counts(requests: &[Request], text: &str) -> Vec<usize> {
    requests.iter().map(|request| request.occurrences(text)).collect()
}

/// Returns our notes in a request, with who says them.
pub(super) fn notes_in(request: &Request) -> String {
    let mut notes = String::new();
    for text in request.texts() {
        for rest in text.text.split("<pacenote ").skip(1) {
            let note = rest.split("</pacenote>").next().unwrap_or_default();
            writeln!(notes, "[{}] <pacenote {note}</pacenote>", text.role).expect("a string");
        }
    }
    notes
}

/// A skill with a body of some length, in lines that can be told apart.
pub(super) struct LongSkill {
    body: String,
}

impl LongSkill {
    /// Writes a body of so many characters.
    pub(super) fn of(length: usize) -> Self {
        let mut body = String::new();
        for number in 0.. {
            let line = format!("{number:05} is the number of this line.\n");
            if body.len() + line.len() > length {
                break;
            }
            body.push_str(&line);
        }
        body.push_str(&"~".repeat(length - body.len()));
        Self { body }
    }

    /// Makes it one of the person's own skills, called `long`.
    pub(super) fn put_into(&self, place: &Workplace) {
        let file = format!("---\nname: long\ndescription: A long one.\n---\n{}", self.body);
        place.desk.write("../home/.claude/skills/long/SKILL.md", &file);
    }

    /// Makes sure that a request holds every line once, and no preview in their stead.
    pub(super) fn must_be_once_in(&self, request: &Request) {
        let texts: Vec<String> = request.texts().into_iter().map(|text| text.text).collect();
        for line in self.body.lines() {
            let count = texts.iter().map(|text| text.matches(line).count()).sum::<usize>();
            assert_eq!(count, 1, "{line}\n{}", notes_in(request));
        }
        assert_eq!(request.occurrences("<persisted-output>"), 0);
    }
}
