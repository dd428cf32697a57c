//! Questions to any analysis by its name, in one process: the document, the claims, and what the listener heard.

use culdesac::analysis::check::check;
use culdesac::analysis::{self, Analysis, Finding, Listener, Query, Visitor};
use culdesac::evidence::{Claim, Evidence};
use culdesac::view::{Document, Event, Reply, Request};
use serde_json::Value;
use std::time::Duration;

/// What a question to an analysis gave.
pub struct Answered {
    pub document: Value,
    pub evidence: Evidence,
}

/// The request about a program.
pub fn about(source: &str, limit: Option<u64>) -> Request {
    Request { program: "f.c".to_owned(), source: source.to_owned(), limit, ..Request::default() }
}

/// Asks with these settings; `event` hears of everything and says whether to go on. `None` where the program is refused.
pub fn ask(name: &str, request: &Request, settings: &Value, event: &mut dyn FnMut(&Event) -> bool) -> Option<Answered> {
    analysis::with(name, Ask { request, settings, event }).unwrap_or_else(|| panic!("there is no analysis `{name}`"))
}

struct Ask<'a> {
    request: &'a Request,
    settings: &'a Value,
    event: &'a mut dyn FnMut(&Event) -> bool,
}

impl Visitor for Ask<'_> {
    type Output = Option<Answered>;

    fn visit<A: Analysis>(self) -> Option<Answered> {
        let settings: A::Settings = serde_json::from_value(self.settings.clone()).expect("settings");
        let asked = Query { request: Some(self.request.clone()), settings };
        let mut claims: Vec<Claim> = Vec::new();
        let mut on_event = |event: Event| (self.event)(&event);
        let mut listener = Listener { claims: Some(&mut claims), findings: Finding::ALL, ..Listener::new(&mut on_event) };
        match asked.answer::<A>(&|| Duration::ZERO, &mut listener) {
            Reply::Document { document } => {
                let evidence = Evidence::of(self.request, document.header().expect("a header"), claims);
                Some(Answered { document: serde_json::to_value(&document).expect("plain data"), evidence })
            }
            Reply::Refused { .. } => None,
        }
    }
}

/// The reasons for which the check rejects a claim of a file.
pub fn rejected(evidence: &Evidence) -> Vec<String> {
    let read = serde_json::from_str(&serde_json::to_string(evidence).expect("plain data")).expect("evidence");
    let Reply::Document { document } = check(&read) else { panic!("refused") };
    assert_eq!(document.checked as usize, evidence.claims.len());
    document.rejected.into_iter().map(|one| one.reason).collect()
}
