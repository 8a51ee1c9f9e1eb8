//! For whom a client is set up.

/// For whom hooks are registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For the person, in every project.
    User,
    /// For everybody who works on the project; the file is committed.
    Project,
    /// For the person in this project; the file is not committed.
    Local,
}

impl Scope {
    /// Every scope, the widest first.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// Returns the word on our command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// Parses the word of [`Scope::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }
}
