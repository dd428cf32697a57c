//! The engine's allocator: lists of free pieces by size before another allocator.
//!
//! The engine makes and drops small pieces by the million: terms, numbers, nodes of maps. A piece of at most [`LARGEST`] bytes is rounded
//! up to a multiple of [`STEP`] and taken from the list of its size; if that is empty, from the backing allocator. When it is freed it goes
//! back to its list and stays there, since the next run needs pieces of the same sizes. Larger pieces, and pieces aligned to more than
//! [`STEP`], are left to the backing allocator.
//!
//! Lists are kept in the pieces themselves: the first word of a free piece is the address of the next free one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::{self, NonNull};

/// Pieces differ in size by so many bytes, and have that alignment: enough for a pointer and for `u64`.
pub const STEP: usize = 8;
/// The largest piece that has a list.
pub const LARGEST: usize = 512;
/// Sizes from `STEP` to `LARGEST`.
const SIZES: usize = LARGEST / STEP;

/// Lists of free pieces before the allocator `A`, for a single thread.
pub struct Pieces<A = System> {
    /// By size, the first free piece; null where there is none.
    free: UnsafeCell<[*mut u8; SIZES]>,
    pub backing: A,
}

// SAFETY: WebAssembly without threads is the only target that has it as its allocator; the engine's worker is one thread, and no lock
// could be waited for there.
unsafe impl<A: Sync> Sync for Pieces<A> {}

impl<A> Pieces<A> {
    pub const fn before(backing: A) -> Pieces<A> {
        Pieces { free: UnsafeCell::new([ptr::null_mut(); SIZES]), backing }
    }

    /// The list of a layout, if there is one.
    #[inline]
    fn list(&self, layout: Layout) -> Option<NonNull<*mut u8>> {
        // A piece of no bytes is never asked for; were it, the number would wrap and be refused.
        let number = layout.size().wrapping_sub(1) / STEP;
        // SAFETY: `number` is below the length of the array.
        (number < SIZES && layout.align() <= STEP).then(|| unsafe { NonNull::new_unchecked(self.free.get().cast::<*mut u8>().add(number)) })
    }
}

/// What the backing allocator is asked for in place of a layout that has a list.
#[inline]
fn rounded(layout: Layout) -> Layout {
    // SAFETY: the size is at most `LARGEST` after rounding up, `STEP` is a power of two.
    unsafe { Layout::from_size_align_unchecked(layout.size().next_multiple_of(STEP), STEP) }
}

// SAFETY: a piece that is handed out is in no list and not free in the backing allocator. It has at least the size and the alignment of the layout, for
// both are rounded up. The layout says in which list it belongs, and the caller gives the same layout when it frees.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Pieces<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(list) = self.list(layout) else {
            // SAFETY: the caller's layout.
            return unsafe { self.backing.alloc(layout) };
        };
        // SAFETY: the lists are this thread's; a piece of a list has room for an address and holds that of the next.
        unsafe {
            let first = list.read();
            if first.is_null() {
                return self.backing.alloc(rounded(layout));
            }
            list.write(first.cast::<*mut u8>().read());
            first
        }
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        let Some(list) = self.list(layout) else {
            // SAFETY: it came from there with the same layout.
            return unsafe { self.backing.dealloc(piece, layout) };
        };
        // SAFETY: as above; the caller is done with the piece.
        unsafe {
            piece.cast::<*mut u8>().write(list.read());
            list.write(piece);
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's alignment, and a size that it must not let overflow.
        let resized = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (self.list(layout), self.list(resized)) {
            // SAFETY: both pieces are the backing allocator's.
            (None, None) => unsafe { self.backing.realloc(piece, layout, size) },
            (before, after) if before == after => piece,
            // SAFETY: the new piece is another one, and both have room for the smaller size.
            _ => unsafe {
                let moved = self.alloc(resized);
                if !moved.is_null() {
                    ptr::copy_nonoverlapping(piece, moved, layout.size().min(size));
                    self.dealloc(piece, layout);
                }
                moved
            },
        }
    }
}
