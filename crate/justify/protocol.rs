//! Compares `web/ui/protocol.ts` with the types of all questions; `UPDATE=1 cargo test protocol` rewrites the file.

use super::question::Justify;
use crate::analysis::Analysis;
use crate::analysis::protocol::Protocol;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/ui/protocol.ts");

#[test]
fn the_page_speaks_the_engines_types() {
    let made = Protocol::default().text(Justify::declare);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &made).expect("web/ui/protocol.ts can be written");
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(committed == made, "web/ui/protocol.ts is out of date: UPDATE=1 cargo test protocol");
}
