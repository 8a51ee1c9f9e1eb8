//! Has the program linked anew when the list of what lies side by side in it changes.

fn main() {
    println!("cargo::rerun-if-changed=hook.ld");
}
