//! Objects at addresses that are numbers: the registers of microcontrollers.

use crate::suites::{branches, exported, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use culdesac::export::TestsFormat;

const HEAD: &str = "#include <stdint.h>
typedef struct { volatile uint32_t MODER, ODR; } GPIO;
#define GPIOA ((GPIO *)0x40020000u)
#define BASE 0x40000000
#define TIM (*(volatile uint32_t *)(BASE + 0x400))
static int set(GPIO *g, int x) { if (g->ODR & 4) g->ODR = x; return g->ODR == 9; }
";

/// The verdicts of the sides of a function, by the text of the condition.
fn verdicts(text: &str) -> Vec<(String, BranchesVerdict)> {
    let mut asked = request("registers.c", &format!("{HEAD}{text}\n"), Some(300_000));
    asked.function = Some("f".to_owned());
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    document.list.into_iter().map(|side| (format!("{} {}", side.text, side.side), side.verdict)).collect()
}

/// Each read of a register gives any value; an object that is not volatile has the value that was written.
#[test]
fn each_read_of_a_register_is_an_input() {
    for text in [
        "int f(int x) { TIM = 3; if (TIM == 4) return 1; return 0; }",
        "int f(int x) { if (GPIOA->ODR == 4 && GPIOA->ODR != 4) return 1; return 0; }",
        "int f(int x) { GPIO *const p = GPIOA; p->MODER |= 1; if (set(p, x) && set(GPIOA, x)) return 1; return 0; }",
        "int f(int x) { volatile uint32_t *p = (volatile uint32_t *)0x40000404; if (*p == 1) if (*p == 2) return 1; return 0; }",
    ] {
        let found = verdicts(text);
        assert!(found.len() >= 2 && found.iter().all(|(_, verdict)| *verdict == BranchesVerdict::Covered), "{text}: {found:?}");
    }
    let found = verdicts("int f(int x) { *(int *)0x5000 = x; if (*(int *)0x5000 != x) return 1; return 0; }");
    assert!(found.contains(&("*(int *)0x5000 != x true".to_owned(), BranchesVerdict::Infeasible)), "{found:?}");
    // What is not followed is no verdict, and a mark is no object.
    let found = verdicts("int f(int x) { if (((volatile int *)0x5000)[x] == 3) return 1; return 0; }");
    assert!(found.iter().all(|(_, verdict)| *verdict == BranchesVerdict::Open), "{found:?}");
    let found = verdicts("int f(int *p) { if (p == (int *)1) return 1; return 0; }");
    assert!(found.iter().all(|(_, verdict)| *verdict != BranchesVerdict::Infeasible), "{found:?}");
}

/// No suite reads or writes at such an address of the computer that runs it.
#[test]
fn suites_say_that_the_address_is_not_there() {
    let asked = request("registers.c", &format!("{HEAD}int f(int x) {{ if (TIM == 3) return x; return 0; }}\n"), Some(300_000));
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    for format in [TestsFormat::C, TestsFormat::Testcomp] {
        let suite = exported(&asked, &document, format);
        let said = suite.notes.iter().filter(|note| note.contains("0x40000400")).count();
        assert_eq!((said, suite.tests.0), (document.tests.len(), 0), "{:?}", suite.notes);
    }
}
