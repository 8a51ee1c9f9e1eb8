//! `pacenote hook`: answer the host, whatever happens.
//!
//! Standard input is drained before anything else, so that a host which writes a large payload
//! never waits for us. Any failure gives the host's empty answer, exit code 0, and a line in the
//! failure log that `doctor` shows; so does whatever keeps us waiting, for a watchdog answers when
//! nobody else did. The environment is never written down.

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Once,
    thread,
    time::Duration,
};

use clap::Args;
use pacenote_engine::{
    Clock, Data,
    hook::{Answer, HookCall, PartOf, answer},
    presence::{self, Presence},
    rules::may_refuse_tools,
    situation::SettingsSource,
    without_secret_names, without_secrets,
};
use pacenote_files::is_name_taken;
use pacenote_fleet::{Launch, let_go};
use pacenote_hosts::{Decoded, Form, Host, Reply, Verdict};
use pacenote_model::{Event, EventKind};
use serde::Serialize;

use crate::{
    environment::{Environment, working_directory},
    output::spell_out_hidden,
};

/// Largest payload that is looked at. Real ones are under 1 MiB; the rest is drained unread.
const PAYLOAD_BYTES: u64 = 8 * 1024 * 1024;

/// Most of its arguments that a failure line repeats, in characters: enough to find the call again.
const ARGUMENT_CHARACTERS: usize = 200;

/// When the watchdog answers. A whole second is what a person notices; a hook takes milliseconds,
/// and the longest it may wait for the store and for two logs is two thirds of a second.
const DEADLINE: Duration = Duration::from_millis(850);

/// How long the watchdog waits for its own line in the failure log, once it has answered.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Decides who answers: whoever comes first, and whoever comes later waits until it is said.
static ANSWER: Once = Once::new();

#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// The host that calls, such as `claude`
    pub(crate) host: String,
    /// The event, such as `session-start`
    pub(crate) event: String,
    /// Which part of the answer to print, of how many: for hosts that cut long answers
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub(crate) part: String,
}

/// Answers a host that called with these arguments. What is not understood in them is written down
/// and answered with nothing: exit code 2, which other commands give, stops some hosts' agents.
pub(crate) fn run(environment: &Environment, arguments: &[String]) -> ExitCode {
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let asked = Asked {
        name: excerpt(argument(0)),
        host: Host::from_name(argument(0)),
        event: excerpt(argument(1)),
    };
    let data = environment.data().ok();
    let is_about_tool = asked.host.is_some_and(|host| host.is_before_tool(&asked.event));
    let here = data.as_ref().filter(|_| is_about_tool).and_then(Surveyed::here);
    let unjudged = match &data {
        Some(data) if is_about_tool => unjudged(environment, data, here.as_ref()),
        Some(_) | None => Reply::nothing(),
    };
    // A bug of ours must not cost the host its turn: it gets that answer and never an abort.
    let (asked_too, answer_of_bug) = (asked.clone(), unjudged.clone());
    std::panic::set_hook(Box::new(move |_| {
        say(&asked_too, &answer_of_bug, Form::default(), &[]);
        std::process::exit(0);
    }));
    watch(data.clone(), &asked, unjudged.clone());
    let payload = drain();
    let Some(data) = data else {
        // Without a data directory there is nothing to say and nowhere to say so.
        say(&asked, &Reply::nothing(), Form::default(), &payload);
        return ExitCode::SUCCESS;
    };
    let mut said = Said::default();
    let answered = understood(arguments)
        .and_then(|part| reply(environment, &data, &asked, part, &payload, here, &mut said));
    let Said { form, mut troubles } = said;
    let answer = answered.unwrap_or_else(|trouble| {
        troubles.push(trouble);
        Answer { reply: unjudged, ..Answer::default() }
    });
    // The host reads on while we write down what it need not know.
    let speaker = say(&asked, &answer.reply, form, &payload);
    if let (Speaker::First, Some(unprinted)) = (speaker, &answer.unprinted) {
        troubles.extend(unprinted.record_printed(Clock::System).err().map(in_full));
    }
    if answer.has_work && data.may_have_workers() {
        troubles.extend(start_worker(environment, &data).err());
    }
    for trouble in &troubles {
        write_down(&data, &asked, trouble);
    }
    ExitCode::SUCCESS
}

/// Who asks, and about what.
#[derive(Clone)]
struct Asked {
    /// The name of the host, known or not.
    name: String,
    /// `None` when no host of that name is known.
    host: Option<Host>,
    /// The word of the event, known or not.
    event: String,
}

/// What came to light while an answer was sought.
#[derive(Default)]
struct Said {
    /// The form in which the answer is wanted.
    form: Form,
    /// What went wrong without spoiling it.
    troubles: Vec<String>,
}

/// The directory in which a host called, and what a look at it told.
struct Surveyed {
    directory: PathBuf,
    presence: Presence,
}

impl Surveyed {
    /// Looks at the working directory, which is usually that of the event too; `None` when it was
    /// deleted.
    fn here(data: &Data) -> Option<Self> {
        let directory = working_directory().ok()?;
        let presence = presence::look(data, &directory);
        Some(Self { directory, presence })
    }
}

/// Returns the answer to an event that cannot be judged, for whatever reason: nothing, unless a rule
/// of the person or of a project here refuses tools. Failures open no gate.
fn unjudged(environment: &Environment, data: &Data, here: Option<&Surveyed>) -> Reply {
    let rules = environment.rules_file();
    let here = here.map(|Surveyed { directory, presence }| (directory.as_path(), presence));
    if !may_refuse_tools(data, rules.as_deref(), here) {
        return Reply::nothing();
    }
    let reason = "this use of a tool could not be judged, and a rule may refuse it; \
                  `pacenote doctor` says what went wrong";
    let verdict = Some(Verdict::Deny { reason: reason.to_owned() });
    Reply { verdict, ..Reply::nothing() }
}

/// Starts the watchdog, which ends this process when its time is up, answered or not.
fn watch(data: Option<Data>, asked: &Asked, unjudged: Reply) {
    let asked = asked.clone();
    let watchdog = move || {
        thread::sleep(DEADLINE);
        if let (Speaker::First, Some(data)) = (say(&asked, &unjudged, Form::default(), &[]), data) {
            // What kept the answer may be the disk, which must not keep the watchdog too.
            let last_words = move || write_down(&data, &asked, "no answer was ready in time");
            thread::Builder::new().spawn(last_words).ok();
            thread::sleep(LAST_WORDS);
        }
        std::process::exit(0);
    };
    // A machine without a thread to spare gets an answer all the same, only an unwatched one.
    thread::Builder::new().spawn(watchdog).ok();
}

/// Makes sure that the arguments are a host, an event and perhaps a part, and nothing else.
fn understood(arguments: &[String]) -> Result<PartOf, String> {
    let part = match arguments {
        [host, event, rest @ ..]
            if ![host, event].iter().any(|argument| argument.starts_with('-')) =>
        {
            match rest {
                [] => Some(PartOf::WHOLE),
                [flag, part] if flag == "--part" => PartOf::parse(part),
                [joined] => joined.strip_prefix("--part=").and_then(PartOf::parse),
                _ => None,
            }
        }
        _ => None,
    };
    part.ok_or_else(|| {
        let called = excerpt(&arguments.join(" "));
        format!("a hook takes a host, an event and perhaps `--part K/N`, not `{called}`")
    })
}

/// Returns the beginning of an argument. Secrets go first: one that is cut is not recognized.
fn excerpt(argument: &str) -> String {
    if argument.chars().nth(ARGUMENT_CHARACTERS).is_none() {
        return argument.to_owned();
    }
    without_secrets(argument).chars().take(ARGUMENT_CHARACTERS).collect()
}

/// Whose answer the host got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    /// That of this call.
    First,
    /// Nobody's: it has gone away.
    Nobody,
    /// That of an earlier one.
    Later,
}

/// Prints what the host reads, in one go, unless something was printed before. Whoever is not known
/// most likely reads JSON.
fn say(asked: &Asked, reply: &Reply, form: Form, payload: &[u8]) -> Speaker {
    let text = asked
        .host
        .map_or_else(|| "{}".to_owned(), |host| host.encode(&asked.event, reply, form, payload));
    let text = match form {
        Form::Json => spell_out_hidden(text),
        Form::Text => text,
    };
    let mut speaker = Speaker::Later;
    ANSWER.call_once(|| {
        let mut stdout = std::io::stdout().lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        speaker = if written.is_ok() { Speaker::First } else { Speaker::Nobody };
    });
    speaker
}

/// Reads the payload and throws away what is too large to be one.
fn drain() -> Vec<u8> {
    let mut payload = Vec::new();
    let mut stdin = std::io::stdin().lock();
    // A payload that breaks off is judged by what there is of it.
    stdin.by_ref().take(PAYLOAD_BYTES).read_to_end(&mut payload).ok();
    std::io::copy(&mut stdin, &mut std::io::sink()).ok();
    payload
}

fn reply(
    environment: &Environment,
    data: &Data,
    asked: &Asked,
    part: PartOf,
    payload: &[u8],
    here: Option<Surveyed>,
    said: &mut Said,
) -> Result<Answer, String> {
    let Some(host) = asked.host else {
        return Err(format!("no host named `{}` is known", asked.name));
    };
    let told = match host.decode(&asked.event, payload).map_err(in_full)? {
        Decoded::Known { event, warnings, form } => {
            said.form = form;
            said.troubles.extend(warnings.iter().map(ToString::to_string));
            event
        }
        Decoded::Passed { .. } => return Ok(Answer::default()),
        Decoded::Unknown { name } => {
            return Err(format!("no event named `{name}` is known; the client may be newer"));
        }
    };
    let directory = Path::new(&told.directory);
    let presence = match here.filter(|here| here.directory == directory) {
        Some(here) => here.presence,
        None => presence::look(data, directory),
    };
    if !presence.is_used && !may_concern_us(environment, &told) {
        return Ok(Answer::default());
    }
    let told = without_secret_names(*told);
    // A name that is wrong is no reason to leave the agent without its notes.
    let agent = environment.agent().unwrap_or_default();
    let variable = |name: &str| environment.variable(name);
    // The store that answers the event also knows what the person trusts.
    let settings =
        |trusts: &dyn Fn(&[u8]) -> bool| environment.settings_for_hook(&presence, trusts);
    let call = HookCall {
        data,
        host,
        event: &told,
        agent,
        part,
        payload,
        presence: &presence,
        carries_context: host.carries_context(&asked.event),
        person: environment.person(&variable, SettingsSource::Read(&settings)),
    };
    let mut answer = answer(&call, Clock::System).map_err(in_full)?;
    said.troubles.extend(answer.trouble.take().map(in_full));
    said.troubles.append(&mut answer.remarks);
    Ok(answer)
}

/// Tells whether an event in a project that is not used is worth a look: the person's own gates hold
/// everywhere, an agent may have left its project, and somebody may want notes in every project.
fn may_concern_us(environment: &Environment, told: &Event) -> bool {
    if told.kind() == EventKind::BeforeTool {
        environment.rules_file().is_some_and(|rules| is_name_taken(&rules))
    } else {
        environment.hooks_are_everywhere()
    }
}

/// Starts the worker, which goes on when this process is gone.
fn start_worker(environment: &Environment, data: &Data) -> Result<(), String> {
    let program = std::env::current_exe().map_err(in_full)?;
    let worker = Launch::new(program, data.directory())
        .arguments(["work", "--once"])
        .variables(environment.for_programs());
    let_go(&worker).map_err(in_full)
}

/// Says an error with all its causes on one line.
fn in_full(error: impl std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        said.push_str(": ");
        said.push_str(&source.to_string());
        cause = source.source();
    }
    said
}

/// One line of the failure log.
#[derive(Serialize)]
struct FailureLine<'a> {
    at: String,
    host: &'a str,
    event: &'a str,
    trouble: &'a str,
}

fn write_down(data: &Data, asked: &Asked, trouble: &str) {
    let [host, event, trouble] = [&asked.name, &asked.event, trouble].map(without_secrets);
    let line = FailureLine {
        at: Clock::System.now().to_string(),
        host: &host,
        event: &event,
        trouble: &trouble,
    };
    if let Ok(line) = serde_json::to_string(&line) {
        // The failure log is the last resort; when it fails too, silence is all that is left.
        data.failures().append_soon(&line).ok();
    }
}
