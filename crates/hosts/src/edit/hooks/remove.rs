//! Taking our hooks out by meaning, wherever and however they are written.

use super::{
    super::{
        EditError,
        json::{Cut, Document, Gone, Kind, Member, Value, cut_all, cuts},
        status_line,
    },
    HOOKS,
    entries::call_of,
};

/// A settings file without our hooks and our status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The file.
    pub text: String,
    /// How many entries of ours it had.
    pub entries: usize,
}

/// Takes every hook of ours, and our status line, out of a settings file.
///
/// Groups, lists and the object of all hooks go with them, where nothing is left in them; those
/// that were empty before, and those with something foreign, be it a comment, stay.
pub fn remove(text: &str) -> Result<Removed, EditError> {
    let document = Document::read(text)?;
    let mut removal = Removal { document: &document, cuts: Vec::new(), entries: 0 };
    if let Some(root) = &document.root {
        removal.root(root);
    }
    let Removal { cuts, entries, .. } = removal;
    Ok(Removed { text: cut_all(text, cuts), entries })
}

/// What becomes of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
}

struct Removal<'d, 'a> {
    document: &'d Document<'a>,
    cuts: Vec<Cut>,
    entries: usize,
}

impl Removal<'_, '_> {
    fn root(&mut self, root: &Value) {
        let fate = self.members(root, |removal, member| {
            if removal.is_hooks(member, Kind::Object) {
                removal.members(&member.value, Self::event)
            } else if status_line::is_ours(removal.document, member) {
                removal.entries += 1;
                Fate::Goes
            } else {
                Fate::Stays
            }
        });
        if fate == Fate::Goes {
            // There is nothing else in the file; what remains of it are settings without any.
            self.cuts.push(Cut::plain(root.inner()));
        }
    }

    fn event(&mut self, event: &Member) -> Fate {
        match event.value.kind {
            Kind::Array => self.members(&event.value, Self::group),
            Kind::Object | Kind::String | Kind::Number | Kind::Boolean | Kind::Null => Fate::Stays,
        }
    }

    /// A group goes with the last of its hooks, for its matcher means nothing without them.
    fn group(&mut self, group: &Member) -> Fate {
        let (mut lists, mut gone) = (0, Vec::new());
        for (index, member) in group.value.members.iter().enumerate() {
            if !self.is_hooks(member, Kind::Array) {
                continue;
            }
            lists += 1;
            if self.members(&member.value, Self::hook) == Fate::Goes {
                gone.push(Gone::with_its_blank(self.document.text, &group.value, index));
            }
        }
        if !gone.is_empty() && gone.len() == lists {
            return Fate::Goes;
        }
        self.cuts.extend(cuts(self.document.text, &group.value, &gone));
        Fate::Stays
    }

    fn hook(&mut self, hook: &Member) -> Fate {
        if call_of(self.document, &hook.value).is_none() {
            return Fate::Stays;
        }
        self.entries += 1;
        Fate::Goes
    }

    /// Cuts the members that go, or says that the container goes with them.
    fn members(
        &mut self,
        container: &Value,
        mut fate_of: impl FnMut(&mut Self, &Member) -> Fate,
    ) -> Fate {
        let text = self.document.text;
        let mut gone = Vec::new();
        for (index, member) in container.members.iter().enumerate() {
            if fate_of(self, member) == Fate::Goes {
                gone.push(Gone::with_its_blank(text, container, index));
            }
        }
        let all = !gone.is_empty() && gone.len() == container.members.len();
        if all && !container.has_comments(text) {
            return Fate::Goes;
        }
        self.cuts.extend(cuts(text, container, &gone));
        Fate::Stays
    }

    fn is_hooks(&self, member: &Member, kind: Kind) -> bool {
        member.value.kind == kind && self.document.is_called(member, HOOKS)
    }
}
