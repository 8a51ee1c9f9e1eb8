//! What agents read, word for word, and the laws that hold whatever the texts are.

mod examples;
mod golden;
mod laws;
mod views;
