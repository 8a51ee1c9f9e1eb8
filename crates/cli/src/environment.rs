//! Every environment variable pacenote reads, in one place.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use pacenote_context::inert;
use pacenote_engine::{
    Caller, Data, Desk, EngineError, Request, host_id_without,
    journal::BackupRule,
    names::parse_agent,
    presence::Presence,
    rules::{self, trust},
    situation::{Person, SettingsSource},
};
use pacenote_files::{
    Links, Terminal,
    config::{FileText, Layers, Problem, SETTINGS_FILE, Settings, Weight},
    git::find_project,
    read_text_if_present,
};
use pacenote_model::{AgentName, CommitKey, HostId, HostName};
use pacenote_skill::digest::digest_of;
use pacenote_store::Access;

use crate::failure::{Failure, Kind, SPEAKER_HINT, reserved_hint};

/// Where all of the user's data lives; stands before the XDG directories.
const HOME: &str = "PACENOTE_HOME";
/// The name under which whoever started this process wants it to act.
const AGENT: &str = "PACENOTE_AGENT";
/// Any value but the empty one: no colours (<https://no-color.org>).
const NO_COLOR: &str = "NO_COLOR";

/// What programs that we start get to know of the environment.
const FOR_PROGRAMS: [&str; 8] =
    ["PATH", "HOME", "LANG", "TZ", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", HOME];

/// The environment of this process.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    lookup: fn(&str) -> Option<OsString>,
}

impl Environment {
    /// Returns the environment this process was started with.
    #[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
    pub(crate) fn of_process() -> Self {
        Self { lookup: |name| std::env::var_os(name) }
    }

    fn text(&self, name: &str) -> Option<String> {
        (self.lookup)(name)?.into_string().ok().filter(|value| !value.is_empty())
    }

    /// Returns an absolute path from a variable; the XDG rules say to ignore relative ones.
    fn path(&self, name: &str) -> Option<PathBuf> {
        (self.lookup)(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// Tells whether colours are switched off for all programs.
    pub(crate) fn no_color(&self) -> bool {
        (self.lookup)(NO_COLOR).is_some_and(|value| !value.is_empty())
    }

    /// Returns where the user's data lives.
    pub(crate) fn data(&self) -> Result<Data, Failure> {
        if let Some(home) = (self.lookup)(HOME).filter(|home| !home.is_empty()) {
            let home = std::path::absolute(&home).map_err(|source| {
                Failure::new(Kind::Environment, format!("`{HOME}` is not a usable path: {source}"))
            })?;
            return Ok(Data::new(home));
        }
        self.path("XDG_DATA_HOME")
            .or_else(|| self.path("HOME").map(|home| home.join(".local/share")))
            .map(|base| Data::new(base.join("pacenote")))
            .ok_or_else(|| {
                Failure::new(Kind::Environment, "there is no place to keep data: `HOME` is not set")
                    .hint(format!("set `HOME`, `XDG_DATA_HOME` or `{HOME}` to an absolute path"))
            })
    }

    /// Returns the user's settings file, if its place can be told.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        self.path("XDG_CONFIG_HOME")
            .or_else(|| self.path("HOME").map(|home| home.join(".config")))
            .map(|base| base.join("pacenote/config.toml"))
    }

    /// Returns the person's own lifecycle rules, if their place can be told.
    pub(crate) fn rules_file(&self) -> Option<PathBuf> {
        self.settings_file().map(|settings| settings.with_file_name("lifecycle.yaml"))
    }

    /// Keeps a copy of the person's own rules while they have no mistake, for hooks that find one.
    pub(crate) fn keep_rules(&self) {
        if let (Ok(data), Some(path)) = (self.data(), self.rules_file()) {
            // Whatever keeps this from being written, a command does what it is asked for.
            rules::keep_last_good(&data, &path).ok();
        }
    }

    /// Returns the directory of the person's own workflows, if its place can be told.
    pub(crate) fn workflows(&self) -> Option<PathBuf> {
        self.settings_file().map(|settings| settings.with_file_name("workflows"))
    }

    /// Returns the settings of the person alone: for what a project cannot say.
    pub(crate) fn own_settings(&self) -> Settings {
        let user = self.settings_file().and_then(|path| settings_in(path).ok()).flatten();
        let layers = Layers {
            user,
            project: None,
            project_is_trusted: false,
            environment: &|name| self.text(name),
            flags: Vec::new(),
        };
        Settings::load(layers).0
    }

    /// Tells whether this process runs inside an agent.
    pub(crate) fn is_inside(&self) -> bool {
        pacenote_hosts::inside(&|name| self.text(name)).is_some() || self.text(AGENT).is_some()
    }

    /// Returns the variables that programs of ours and of the person's rules get: where things lie,
    /// and nothing that could be a secret.
    pub(crate) fn for_programs(&self) -> BTreeMap<String, String> {
        let kept = FOR_PROGRAMS.iter().filter_map(|name| Some((*name, self.text(name)?)));
        kept.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Reads all layers of settings.
    pub(crate) fn layers(&self) -> Result<(Settings, Vec<Problem>), Failure> {
        let directory = working_directory()?;
        let place = find_project(&directory)?;
        // What a repository brings may be broken on purpose; it must not stop a command.
        let project = settings_in(place.root.join(trust::SETTINGS)).unwrap_or_default();
        Ok(Settings::load(Layers {
            user: self.settings_file().map(settings_in).transpose()?.flatten(),
            project_is_trusted: self.trusts(&directory, project.as_ref()),
            project,
            environment: &|name| self.text(name),
            flags: Vec::new(),
        }))
    }

    /// Returns the settings without what is wrong in them, and that in words.
    pub(crate) fn usable_settings(&self) -> (Settings, Vec<String>) {
        match self.layers() {
            Ok((settings, problems)) => {
                let errors = problems.iter().filter(|problem| problem.weight == Weight::Error);
                (settings, errors.map(|problem| inert(&problem.error.to_string())).collect())
            }
            Err(failure) => (Settings::built_in(), vec![inert(&failure.parts().0)]),
        }
    }

    /// Returns the settings without what is wrong in them: a hook has nobody to tell.
    pub(crate) fn settings_for_hook(
        &self,
        presence: &Presence,
        trusts: &dyn Fn(&[u8]) -> bool,
    ) -> Settings {
        let user = self.settings_file().and_then(|path| settings_in(path).ok()).flatten();
        // Settings of a project lie in the directory that marks it, which hardly any has.
        let place = presence.place.as_ref().filter(|_| presence.is_marked);
        let project = place.and_then(|place| settings_in(place.root.join(trust::SETTINGS)).ok());
        let project = project.flatten();
        let project_is_trusted =
            project.as_ref().is_some_and(|project| trusts(project.text.as_bytes()));
        let environment = &|name: &str| self.text(name);
        let flags = Vec::new();
        Settings::load(Layers { user, project, project_is_trusted, environment, flags }).0
    }

    /// Tells whether the person wants hooks to speak in every project; a project cannot say so.
    pub(crate) fn hooks_are_everywhere(&self) -> bool {
        self.own_settings().hooks_are_everywhere()
    }

    /// Tells whether the person trusts the settings that a project brings.
    fn trusts(&self, directory: &Path, settings: Option<&FileText>) -> bool {
        let Some(settings) = settings else { return false };
        let Ok(data) = self.data() else { return false };
        // A store that cannot be read knows of no trust.
        Desk::open(data, directory, Caller::Unknown, Access::Hook)
            .and_then(|desk| trust::is_trusted(&desk, trust::SETTINGS, settings.text.as_bytes()))
            .unwrap_or(false)
    }

    /// Returns the settings, or everything that is wrong with them at once.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let (settings, problems) = self.layers()?;
        let errors: Vec<_> = problems
            .into_iter()
            .filter(|problem| problem.weight == Weight::Error)
            .map(|problem| problem.error)
            .collect();
        let Some((first, rest)) = errors.split_first() else { return Ok(settings) };
        let mut failure = Failure::new(Kind::User, first.to_string());
        failure = rest.iter().fold(failure, |failure, more| failure.and(more.to_string()));
        let hints = errors.iter().filter_map(pacenote_files::config::SettingError::hint);
        Err(hints.fold(failure, Failure::hint))
    }

    /// Returns the session of a host in which the command runs, whatever its agent is called.
    pub(crate) fn session(&self) -> Option<(HostName, HostId)> {
        let inside = pacenote_hosts::inside(&|name| self.text(name))?;
        Some((inside.host, host_id_without(inside.session?)))
    }

    /// Returns who is calling, without trusting any argument.
    pub(crate) fn caller(&self) -> Result<Caller, Failure> {
        if let Some(name) = self.agent()? {
            return Ok(Caller::Agent(name));
        }
        if let Some((host, host_id)) = self.host_session() {
            return Ok(Caller::Session { host, host_id });
        }
        if pacenote_hosts::inside(&|name| self.text(name)).is_some() {
            return Ok(Caller::Unknown);
        }
        Ok(if Terminal::open().is_some() { Caller::Person } else { Caller::Unknown })
    }

    /// Returns the session of the host inside which this process runs, if it says so.
    pub(crate) fn host_session(&self) -> Option<(HostName, HostId)> {
        let inside = pacenote_hosts::inside(&|name| self.text(name))?;
        Some((inside.host, host_id_without(inside.session?)))
    }

    /// Returns the user's home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.path("HOME")
    }

    /// Looks up any variable, for the tables of hosts that name theirs.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        self.text(name)
    }

    /// Makes sure that a person stands behind an act that raises trust.
    ///
    /// Inside an agent it is refused, whatever the arguments say; outside, `--yes` or an answer at
    /// the terminal counts as the person's act.
    pub(crate) fn consent(&self, yes: bool, question: &str) -> Result<(), Failure> {
        self.refuse_agents()?;
        if yes {
            return Ok(());
        }
        let answer = self.ask_person(&format!("{question} [y/N]"))?;
        if ["y", "yes"].contains(&answer.as_str()) {
            return Ok(());
        }
        Err(Failure::new(Kind::User, "nothing was changed"))
    }

    /// Asks the person at the terminal, and returns the answer in lower case. Inside an agent there
    /// is nobody to ask.
    pub(crate) fn ask_person(&self, question: &str) -> Result<String, Failure> {
        self.refuse_agents()?;
        let Some(mut terminal) = Terminal::open() else {
            return Err(Failure::new(Kind::User, "there is no terminal at which to ask")
                .hint("`--yes` says yes for the person who runs this"));
        };
        Ok(terminal.ask(question)?.to_lowercase())
    }

    fn refuse_agents(&self) -> Result<(), Failure> {
        if self.is_inside() {
            return Err(Failure::new(Kind::User, "only a person can do this, not an agent")
                .hint("run the same command in a terminal of your own"));
        }
        Ok(())
    }

    /// Returns what is the person's, whichever command they run.
    pub(crate) fn person<'a>(
        &self,
        variable: &'a dyn Fn(&str) -> Option<String>,
        settings: SettingsSource<'a>,
    ) -> Person<'a> {
        Person { home: self.home(), rules: self.rules_file(), variable, settings }
    }

    /// Returns the name this process was given.
    pub(crate) fn agent(&self) -> Result<Option<AgentName>, Failure> {
        let Some(raw) = self.text(AGENT) else { return Ok(None) };
        let wrong = |why: &str| Failure::new(Kind::User, format!("`{AGENT}` is wrong: {why}"));
        let name = parse_agent(&raw).map_err(|error| {
            let is_reserved = matches!(&error, EngineError::Name(name) if name.is_reserved());
            let wrong = wrong(&error.to_string());
            if is_reserved { wrong.hint(SPEAKER_HINT) } else { wrong }
        })?;
        if name.is_reserved() {
            let wrong = wrong(&format!("`{name}` is reserved"));
            return Err(wrong.hint(reserved_hint(&name)));
        }
        Ok(Some(name))
    }

    /// Opens the store for a person who said so, where there is no terminal to tell.
    pub(crate) fn desk_of_person(&self, access: Access) -> Result<Desk, Failure> {
        self.desk_of(Caller::Person, access)
    }

    /// Opens the store and finds the project of the working directory.
    pub(crate) fn desk(&self, access: Access) -> Result<Desk, Failure> {
        self.desk_of(self.caller()?, access)
    }

    fn desk_of(&self, caller: Caller, access: Access) -> Result<Desk, Failure> {
        let desk = Desk::open(self.data()?, &working_directory()?, caller, access)?;
        if access == Access::Write {
            let settings = self.usable_settings().0;
            let keep = usize::try_from(settings.store_backups_kept()).unwrap_or(1);
            let hours = settings.store_backup_hours();
            desk.upkeep().keep_backups(BackupRule { hours, keep });
        }
        Ok(desk)
    }
}

/// Returns the wish behind a command that writes, if it has a key of its own.
///
/// The intent is the command line itself, without what says how to print and without the key.
pub(crate) fn repeatable(raw: Option<&str>) -> Result<Option<Request>, Failure> {
    let Some(raw) = raw else { return Ok(None) };
    let key = CommitKey::parse(raw).map_err(pacenote_engine::EngineError::from)?;
    let mut words: Vec<String> = Vec::new();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(word) = arguments.next() {
        if word == "--key" {
            arguments.next();
        } else if word != "--json" && !word.to_string_lossy().starts_with("--key=") {
            words.push(word.to_string_lossy().into_owned());
        }
    }
    Ok(Some(Request { key, intent: words.join("\u{1f}") }))
}

/// Returns the wish behind a command with a text, which may come from standard input: two texts are
/// two intents, although the command lines are the same.
pub(crate) fn repeatable_text(
    raw: Option<&str>,
    argument: &str,
    text: &str,
) -> Result<Option<Request>, Failure> {
    let Some(mut request) = repeatable(raw)? else { return Ok(None) };
    if argument != text {
        request.intent.push('\u{1f}');
        request.intent.push_str(&digest_of(text.as_bytes()).to_string());
    }
    Ok(Some(request))
}

/// Returns the working directory, which may have been deleted under us.
pub(crate) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|source| {
        Failure::new(Kind::Environment, format!("the working directory cannot be told: {source}"))
            .hint("change to a directory that exists")
    })
}

fn settings_in(path: PathBuf) -> Result<Option<FileText>, Failure> {
    let text = read_text_if_present(&path, SETTINGS_FILE, Links::Follow)?;
    Ok(text.map(|text| FileText { path, text }))
}
