//! How deep functions that call themselves are inlined without a requested depth.

use culdesac::analysis::cover::{Cover, CoverSettings};
use culdesac::analysis::{Listener, Query};
use culdesac::lts::lower::INLINE_DEPTH;
use culdesac::view::{Reply, Request};

/// The depth with which `cover` looks at the program.
fn depth(source: &str, asked: Option<u32>) -> Option<u32> {
    let request = Request { program: "p".to_owned(), source: source.to_owned(), inline_depth: asked, ..Request::default() };
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    match (Query { request: Some(request), settings }).answer::<Cover>(&Default::default, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => document.header.inline_depth,
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

#[test]
fn what_grows_with_each_level_is_inlined_less_deeply() {
    let once = "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }";
    let twice = "int fib(int n) { if (n <= 1) return n; return fib(n - 1) + fib(n - 2); }";
    assert_eq!(depth(once, None), Some(INLINE_DEPTH));
    assert!(depth(twice, None).is_some_and(|depth| depth > 0 && depth < INLINE_DEPTH));
    assert_eq!(depth(twice, Some(3)), Some(3));
}
