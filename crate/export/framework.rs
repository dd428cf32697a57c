//! What a suite in C is written for: the suite's own runner, a target without an operating system, Unity, or CMocka.

use super::TestsFormat;
use super::names::Names;
use super::step::Ends;
use super::test::{TestCase, TestLine};
use super::types::string;
use crate::lang::types::{Abi, Integer};
use std::fmt::Write as _;

/// The names that a suite defines itself.
pub struct Own {
    pub test: String,
    pub expect: String,
    pub string: String,
    pub running: String,
    /// What the names of tests begin with.
    pub function: String,
}

impl Own {
    /// Names that the program does not use.
    pub fn new(names: &mut Names) -> Own {
        let [test, expect, string, running] = ["TEST", "EXPECT", "STRING", "running_test"].map(|name| names.free(name));
        Own { test, expect, string, running, function: names.prefix("test_") }
    }
}

/// A framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// The suite runs its tests itself, each in a process of its own.
    Plain,
    /// One after another in one process, without any system.
    Freestanding,
    Unity,
    Cmocka,
}

impl Framework {
    /// The framework of a form; none of a form that is no suite in C.
    pub fn of(format: TestsFormat) -> Option<Framework> {
        match format {
            TestsFormat::C => Some(Framework::Plain),
            TestsFormat::Freestanding => Some(Framework::Freestanding),
            TestsFormat::Unity => Some(Framework::Unity),
            TestsFormat::Cmocka => Some(Framework::Cmocka),
            TestsFormat::Json | TestsFormat::Csv | TestsFormat::Testcomp | TestsFormat::Lcov => None,
        }
    }

    /// The text of `culdesac.h`.
    pub fn runner(self) -> String {
        let [system, program] = [include_str!("runner.h"), include_str!("program.h")];
        match self {
            Framework::Freestanding => format!("{}{program}", include_str!("freestanding.h")),
            _ => format!("{system}{program}"),
        }
    }

    /// How to compile and run a suite of these files in a dialect of C (`c11`) with these libraries (` -lm`), as lines of a comment.
    pub fn usage(self, suite: &str, dialect: &str, libraries: &str) -> String {
        let lines = match self {
            Framework::Plain => format!(
                " *   cc -std={dialect} -o suite {suite}{libraries} && ./suite\n *\n * runs them all, each in a process of its own, and has status 0 if all end as expected; `./suite 3` runs test 3\n * alone. With --coverage, gcov tells what they take.\n"
            ),
            Framework::Freestanding => format!(
                " *   cc -std={dialect} -ffreestanding -c {suite}\n *\n * The suite needs no operating system. `culdesac_run()` runs all tests, one after another, and returns the number of\n * failed tests; `main` calls it, unless CULDESAC_NO_MAIN is defined.\n"
            ),
            Framework::Unity => {
                format!(
                    " *   cc -std={dialect} -I UNITY -o suite {suite} UNITY/unity.c{libraries} && ./suite\n *\n * runs them with Unity, whose sources are in the folder UNITY, each in a process of its own.\n"
                )
            }
            Framework::Cmocka => {
                format!(
                    " *   cc -std={dialect} -o suite {suite} -lcmocka{libraries} && ./suite\n *\n * runs them with CMocka, each in a process of its own.\n"
                )
            }
        };
        format!(" *\n{lines}")
    }

    /// Names of the framework that the program must not have while it is included.
    pub fn reserved(self) -> &'static [&'static str] {
        match self {
            Framework::Unity => &["setUp", "tearDown", "suiteSetUp", "suiteTearDown"],
            _ => &[],
        }
    }

    /// What stands after the program and in front of the tests.
    /// `defined` are the program's macros, which the framework's header must not see.
    pub fn macros(self, own: &Own, defined: &[String]) -> String {
        let Own { test, expect, string, running, function } = own;
        let mut out = String::new();
        let has_header = matches!(self, Framework::Unity | Framework::Cmocka);
        for name in defined.iter().filter(|_| has_header) {
            let _ = writeln!(out, "#pragma push_macro(\"{name}\")\n#undef {name}");
        }
        let _ = match self {
            Framework::Plain | Framework::Freestanding => Ok(()),
            Framework::Unity => writeln!(out, "#include <unity.h>\n"),
            Framework::Cmocka => {
                writeln!(out, "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n")
            }
        };
        for name in defined.iter().filter(|_| has_header) {
            let _ = writeln!(out, "#pragma pop_macro(\"{name}\")");
        }
        let _ = writeln!(out, "#define {running} culdesac_running");
        if matches!(self, Framework::Plain | Framework::Freestanding) {
            let _ = writeln!(out, "#define {expect}(what) culdesac_expect(what, #what, __LINE__)");
        }
        if self != Framework::Freestanding {
            let _ = writeln!(out, "#define {string}(text) {{text, sizeof text - 1}}");
        }
        let alone = match self {
            Framework::Cmocka => format!(
                " \\\n  static void {function}##n##_alone(void **state) {{ \\\n    (void)state; \\\n    if (culdesac_alone(&{function}##n##_is)) return; \\\n    {function}##n(); \\\n    culdesac_exit(CULDESAC_RETURNED); \\\n  }}"
            ),
            _ => String::new(),
        };
        let linkage = if self == Framework::Unity { "" } else { "static " };
        let _ = write!(
            out,
            "#define {test}(n, ...) \\\n  {linkage}void {function}##n(void); \\\n  static const struct culdesac_test {function}##n##_is = {{.number = n, .run = {function}##n, __VA_ARGS__}};{alone} \\\n  {linkage}void {function}##n(void)\n\n"
        );
        match self {
            Framework::Cmocka => out += CMOCKA,
            Framework::Plain | Framework::Freestanding | Framework::Unity => {}
        }
        out
    }

    /// The options of a test, after its number.
    pub fn options(self, own: &Own, case: &TestCase, prints: bool) -> String {
        let mut options = String::new();
        if self == Framework::Freestanding {
            return options;
        }
        let string_name = &own.string;
        if let Some(input) = &case.input {
            let _ = write!(options, ", .input = {string_name}({})", string(input));
        }
        // Frameworks report on standard output, too.
        if let Some(output) = &case.output
            && (prints || !output.is_empty())
            && case.ends != Ends::Never
        {
            let _ = write!(options, ", .output = {string_name}({})", string(output));
        }
        match case.ends {
            Ends::Returns => {}
            Ends::Exits(status) => {
                let _ = write!(options, ", .ends = CULDESAC_EXITS + {status}");
            }
            Ends::Aborts => options += ", .ends = CULDESAC_ABORTED",
            Ends::CallsError => options += ", .ends = CULDESAC_ERROR",
            Ends::Never => options += ", .ends = CULDESAC_ENDLESS",
        }
        options
    }

    /// A line of a test.
    pub fn line(self, own: &Own, line: &TestLine) -> String {
        let expect = &own.expect;
        // The values of an unsigned `char` have either form.
        let is_signed = |ty: &Option<Integer>| ty.is_some_and(|ty| ty.signed(Abi::default()));
        match (self, line) {
            (_, TestLine::Statement(text)) => text.clone(),
            (_, TestLine::Equal(what, Some(ty), value)) if ty.format().is_some() => {
                // What is not a number is not equal to itself.
                let condition =
                    if value == super::types::NOT_A_NUMBER { format!("{what} != {what}") } else { format!("{what} == {value}") };
                match self {
                    Framework::Unity => format!("TEST_ASSERT_TRUE({condition});"),
                    Framework::Cmocka => format!("assert_true({condition});"),
                    _ => format!("{expect}({condition});"),
                }
            }
            (Framework::Unity, TestLine::Equal(what, Some(ty), value)) => {
                let kind = if is_signed(&Some(*ty)) { "INT64" } else { "UINT64" };
                format!("TEST_ASSERT_EQUAL_{kind}({value}, {what});")
            }
            (Framework::Unity, TestLine::Equal(what, None, value)) => format!("TEST_ASSERT_TRUE({what} == {value});"),
            (Framework::Unity, TestLine::Same(what, block, size)) => format!("TEST_ASSERT_EQUAL_MEMORY({block}, {what}, {size});"),
            (Framework::Cmocka, TestLine::Equal(what, Some(_), value)) => format!("assert_int_equal({what}, {value});"),
            (Framework::Cmocka, TestLine::Equal(what, None, value)) => format!("assert_true({what} == {value});"),
            (Framework::Cmocka, TestLine::Same(what, block, size)) => format!("assert_memory_equal({what}, {block}, {size});"),
            (_, TestLine::Equal(what, _, value)) => format!("{expect}({what} == {value});"),
            (_, TestLine::Same(what, block, size)) => format!("{expect}(culdesac_same({what}, {block}, {size}));"),
        }
    }

    /// What stands after the tests.
    pub fn end(self, own: &Own, cases: &[TestCase]) -> String {
        let function = &own.function;
        let each = |text: &dyn Fn(usize) -> String| cases.iter().map(|case| text(case.number)).collect::<String>();
        match self {
            Framework::Cmocka if cases.is_empty() => "int main(void) { return 0; }\n".to_owned(),
            Framework::Plain => format!(
                "static const struct culdesac_test *const culdesac_tests[] = {{{}0}};\nint main(int argc, char **argv) {{ return culdesac_main(culdesac_tests, argc, argv); }}\n",
                each(&|number| format!("&{function}{number}_is, "))
            ),
            Framework::Freestanding => format!(
                "int culdesac_run(void) {{\n  int failed = 0;\n{}  return failed;\n}}\n#ifndef CULDESAC_NO_MAIN\nint main(void) {{ return culdesac_run(); }}\n#endif\n",
                each(&|number| format!("  failed += culdesac_test(&{function}{number}_is);\n"))
            ),
            Framework::Unity => format!(
                "static const struct culdesac_test *const culdesac_tests[] = {{{}0}};\n{UNITY}int main(void) {{\n  UNITY_BEGIN();\n{}  return UNITY_END();\n}}\n",
                each(&|number| format!("&{function}{number}_is, ")),
                each(&|number| format!("  RUN_TEST({function}{number});\n"))
            ),
            Framework::Cmocka => format!(
                "int main(void) {{\n  const struct CMUnitTest tests[] = {{\n{}  }};\n  return cmocka_run_group_tests(tests, 0, 0);\n}}\n",
                each(&|number| format!("    cmocka_unit_test_teardown({function}{number}_alone, culdesac_after),\n"))
            ),
        }
    }
}

/// Each test runs in a process of its own: the parent waits for it and goes on with the next one.
const UNITY: &str = "static int culdesac_is_child;
void setUp(void) {
  const struct culdesac_test *const *test = culdesac_tests;
  int number = 0, passes;
  for (const char *c = Unity.CurrentTestName; *c; c++) number = *c >= '0' && *c <= '9' ? 10 * number + *c - '0' : 0;
  while (*test && (*test)->number != number) test++;
  passes = culdesac_fork_test(*test);
  culdesac_is_child = passes < 0;
  if (passes == 0) TEST_FAIL_MESSAGE(\"it does not end, or does not print, as expected\");
  if (passes > 0) TEST_PASS();
}
void tearDown(void) {
  if (culdesac_is_child) culdesac_exit(Unity.CurrentTestFailed ? CULDESAC_FAILED : CULDESAC_RETURNED);
}
";

/// As above.
const CMOCKA: &str = "static __attribute__((unused)) int culdesac_is_child;
static __attribute__((unused)) int culdesac_alone(const struct culdesac_test *test) {
  int passes = culdesac_fork_test(test);
  culdesac_is_child = passes < 0;
  if (passes == 0) fail_msg(\"it does not end, or does not print, as expected\");
  return passes > 0;
}
static __attribute__((unused)) int culdesac_after(void **state) {
  (void)state;
  if (culdesac_is_child) culdesac_exit(CULDESAC_FAILED);
  return 0;
}

";
