//! `solve`: the answers to a script's checks.

use crate::args::Solve;
use crate::commands::Asker;
use crate::{CommandRefusal, ExitStatus, print, source};
use culdesac::analysis::options::Form;
use culdesac::smtlib::{self, SolverOutput, solve_document};
use culdesac::source::LineIndex;
use culdesac::view::{self, Reply};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Steps for each check where nothing is said.
const SOLVE_LIMIT: u64 = 5_000_000;

/// A script with `--time` is executed so often, as long as that does not take longer than this in all.
const WARM_EXECUTIONS: usize = 9;
const WARM_TIME: Duration = Duration::from_millis(30);

pub fn solve(options: Solve) -> Result<ExitStatus, CommandRefusal> {
    let started = Instant::now();
    let script = source::read(&options.file)?;
    let execute = |on_output: &mut dyn FnMut(SolverOutput)| {
        smtlib::run(&script.text, options.limit.unwrap_or(SOLVE_LIMIT), &|| started.elapsed(), on_output)
    };
    let timed = options.times || options.json;
    let mut repeated = Vec::new();
    while match options.repeat {
        Some(times) => repeated.len() + 1 < times as usize,
        None => timed && repeated.len() + 1 < WARM_EXECUTIONS && started.elapsed() < WARM_TIME,
    } {
        // What is wrong with the script is said by the last execution.
        repeated.extend(execute(&mut |_| ()).ok());
        if repeated.is_empty() {
            break;
        }
    }
    let median = |at: usize, last: Duration| {
        let mut times: Vec<Duration> = repeated.iter().filter_map(|checks| Some(checks.get(at)?.time)).chain([last]).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let mut answers = String::new();
    let mut answered = 0;
    let mut on_output = |output: SolverOutput| {
        if !options.json {
            let time = match &output {
                SolverOutput::Check(check) if options.times => {
                    answered += 1;
                    format!("\t{:.1} us\t{} steps", median(answered - 1, check.time).as_nanos() as f64 / 1e3, check.steps)
                }
                _ => String::new(),
            };
            answers += &format!("{output}{time}\n");
        }
    };
    let mut checks = match execute(&mut on_output) {
        Ok(checks) => checks,
        Err(diagnostic) => {
            print(&answers)?;
            source::show(&script, &[view::diagnostic(&LineIndex::new(&script.text), &diagnostic)]);
            return Err(CommandRefusal(None));
        }
    };
    for (at, check) in checks.iter_mut().enumerate() {
        check.time = median(at, check.time);
    }
    let document = solve_document(&script.name, &checks);
    for check in checks.iter().filter(|check| check.is_wrong()) {
        let expected = check.expected.map_or("", |verdict| verdict.as_str());
        let _ = writeln!(io::stderr(), "{}:{}: answered {}, but the script says {expected}", script.name, check.line, check.result);
    }
    for check in checks.iter().filter(|_| !options.json) {
        if let Some(reason) = &check.reason {
            let _ = writeln!(io::stderr(), "{}:{}: unknown: {reason}", script.name, check.line);
        }
    }
    let asker = Asker { started, source: script, precondition: None };
    asker.print(Reply::Document { document }, Form::json_if(options.json), |_| Ok(answers.clone()))
}
