//! The allocator of the page's engine, before one that counts: pieces hold what was written, are given again, and are never two at a
//! time.

#[path = "../../web/src/allocator.rs"]
mod pieces;

use pieces::{LARGEST, Pieces, STEP};
use proptest::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator; counts the pieces that it has given and not got back, and those it was asked for.
#[derive(Default)]
struct Counting {
    out: Cell<usize>,
    asked: Cell<usize>,
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.out.set(self.out.get() + 1);
        self.asked.set(self.asked.get() + 1);
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        self.out.set(self.out.get() - 1);
        // SAFETY: the caller's piece.
        unsafe { System.dealloc(piece, layout) }
    }
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's piece.
        unsafe { System.realloc(piece, layout, size) }
    }
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).expect("a layout")
}

/// A piece in use: every byte of it is `mark`.
struct Piece {
    at: *mut u8,
    layout: Layout,
    mark: u8,
}

impl Piece {
    fn new(of: &Pieces<Counting>, layout: Layout, mark: u8) -> Piece {
        // SAFETY: the size is not 0.
        let at = unsafe { of.alloc(layout) };
        assert!(!at.is_null());
        let piece = Piece { at, layout, mark };
        piece.fill();
        piece
    }
    fn fill(&self) {
        assert_eq!(self.at as usize % self.layout.align(), 0, "aligned");
        // SAFETY: the piece has so many bytes.
        unsafe { self.at.write_bytes(self.mark, self.layout.size()) }
    }
    /// Whether its first bytes are as they were written.
    fn holds(&self, bytes: usize) -> bool {
        // SAFETY: all of it was written.
        unsafe { std::slice::from_raw_parts(self.at, bytes) }.iter().all(|byte| *byte == self.mark)
    }
    fn resize(&mut self, of: &Pieces<Counting>, size: usize) {
        // SAFETY: it came from there with this layout, and the size is not 0.
        self.at = unsafe { of.realloc(self.at, self.layout, size) };
        assert!(!self.at.is_null());
        assert!(self.holds(self.layout.size().min(size)), "moved with its bytes");
        self.layout = layout(size, self.layout.align());
        self.fill();
    }
    fn free(self, of: &Pieces<Counting>) {
        assert!(self.holds(self.layout.size()), "nothing else wrote to it");
        // SAFETY: it came from there with this layout.
        unsafe { of.dealloc(self.at, self.layout) }
    }
}

#[test]
fn a_small_piece_that_was_freed_is_the_next_of_its_size() {
    let all = Pieces::before(Counting::default());
    let first = Piece::new(&all, layout(20, 4), 1);
    let at = first.at;
    first.free(&all);
    // 20 and 17 bytes are both rounded up to 24, 16 are not.
    let other = Piece::new(&all, layout(16, 4), 2);
    assert_ne!(other.at, at);
    let again = Piece::new(&all, layout(17, 8), 3);
    assert_eq!(again.at, at);
    again.free(&all);
    other.free(&all);
}

#[test]
fn a_large_piece_and_one_of_wide_alignment_go_back() {
    let all = Pieces::before(Counting::default());
    for wide in [layout(LARGEST + 1, 8), layout(1 << 20, 1), layout(24, 2 * STEP)] {
        let piece = Piece::new(&all, wide, 7);
        assert_eq!(all.backing.out.get(), 1);
        piece.free(&all);
        assert_eq!(all.backing.out.get(), 0);
    }
    let piece = Piece::new(&all, layout(LARGEST, 8), 7);
    piece.free(&all);
    assert_eq!(all.backing.out.get(), 1, "the largest small piece stays in its list");
}

#[test]
fn a_piece_stays_where_it_is_while_its_rounded_size_does() {
    let all = Pieces::before(Counting::default());
    let mut piece = Piece::new(&all, layout(1, 1), 9);
    let at = piece.at;
    for size in 2..=STEP {
        piece.resize(&all, size);
        assert_eq!(piece.at, at);
    }
    assert_eq!(all.backing.asked.get(), 1);
    // From the last size that has a list to the first that has none, and back.
    piece.resize(&all, LARGEST);
    piece.resize(&all, LARGEST + 1);
    piece.resize(&all, 1 << 16);
    piece.resize(&all, 3);
    assert_eq!(piece.at, at, "its first address was free again");
    piece.free(&all);
}

#[test]
fn zeroed_pieces_are_zero_though_they_were_used() {
    let all = Pieces::before(Counting::default());
    for size in [1, 8, 100, LARGEST, LARGEST + 1] {
        Piece::new(&all, layout(size, 8), 255).free(&all);
        // SAFETY: the size is not 0.
        let at = unsafe { all.alloc_zeroed(layout(size, 8)) };
        let piece = Piece { at, layout: layout(size, 8), mark: 0 };
        assert!(piece.holds(size));
        piece.free(&all);
    }
}

#[derive(Clone, Debug)]
enum Step {
    New { size: usize, align: usize },
    Resize { which: usize, size: usize },
    Free { which: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![4 => 1..=LARGEST, 1 => LARGEST - STEP..LARGEST + 2 * STEP, 1 => 1..20_000usize];
    let step = prop_oneof![
        3 => (size.clone(), 0..6u32).prop_map(|(size, align)| Step::New { size, align: 1 << align }),
        1 => (any::<usize>(), size).prop_map(|(which, size)| Step::Resize { which, size }),
        2 => any::<usize>().prop_map(|which| Step::Free { which }),
    ];
    prop::collection::vec(step, 1..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::common::cases(64)))]
    #[test]
    fn pieces_in_use_never_overlap(steps in steps()) {
        let all = Pieces::before(Counting::default());
        let mut used: Vec<Piece> = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::New { size, align } => used.push(Piece::new(&all, layout(size, align), number as u8)),
                Step::Resize { which, size } if !used.is_empty() => {
                    let at = which % used.len();
                    used[at].resize(&all, size);
                }
                Step::Free { which } if !used.is_empty() => {
                    let at = which % used.len();
                    used.swap_remove(at).free(&all);
                }
                _ => {}
            }
        }
        for piece in used {
            piece.free(&all);
        }
    }
}
