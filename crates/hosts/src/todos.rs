//! A host's own list of things to do.

use pacenote_model::Todo;

/// Most things that are read of one list. A list is something a model keeps in view: real ones have
/// a dozen things, and a longer one is a document.
pub(crate) const TODOS: usize = 200;

/// Tells whether it can be known which thing is meant, and what of it changed.
pub(crate) fn means_something(todo: &Todo) -> bool {
    let is_known = todo.id.is_some() || todo.title.is_some();
    is_known && (todo.title.is_some() || todo.state.is_some())
}
