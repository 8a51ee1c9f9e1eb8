//! A section of a long text, as plans and skills have them.

/// A heading with the text up to the next heading of any level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The text of the heading; empty for what stands before the first.
    pub title: String,
    /// The level of the heading, 1 to 6; 0 for what stands before the first.
    pub level: u8,
    /// The text as written, with the heading.
    pub text: String,
}
