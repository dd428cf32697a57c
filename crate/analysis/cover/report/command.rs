//! `culdesac cover`: options.

use super::text::text;
use super::{CoverDocument, CoverSettings};
use crate::analysis::cover::Cover;
use crate::analysis::criteria::options::CriterionOptions;
use crate::analysis::criteria::text as criterion_text;
use crate::analysis::criteria::{CriterionChoice, OrdinaryVerdicts, criterion_document, without_claims};
use crate::analysis::options::{Command, ProgramOptions, ReadFile, name, whole};
use crate::analysis::settle::{EngineSettings, settled, settled_cover};
use crate::analysis::{Analysis, Listener, Query, Question};
use crate::evidence::bounded::MAX_UNWIND;
use crate::lts::unfold::GraphUnfolding;
use crate::view::Reply;
use clap::{Args, ValueEnum};

/// Tests for every statement that can be executed within a bound, and why the others cannot
#[derive(Args)]
pub struct CoverOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// How often each loop's header may be returned to before the loop is left [default: 3, or as often as the shortest run on simple inputs needs; then tests beyond that count, too]
    #[arg(long, value_name = "K", conflicts_with = "criterion", value_parser = bound, allow_hyphen_values = true)]
    unwind: Option<u32>,
    /// How executions are asked for
    #[arg(long, value_enum, default_value_t = AlgorithmOption::Prefer)]
    algorithm: AlgorithmOption,
    /// What is assumed of the inputs, e.g. 'n >= 0'
    #[arg(long, value_name = "CONDITION", conflicts_with = "criterion")]
    precondition: Option<String>,
    /// Cover called functions by themselves first and use their tests in place of their bodies; what that leaves is looked for with calls inlined
    #[arg(long)]
    summaries: bool,
    #[command(flatten)]
    criterion: CriterionOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlgorithmOption {
    /// By enabling clauses: each test covers something new
    Sc,
    /// By blocking clauses: a test for every feasible path
    Pc,
    /// One question for each minimal block
    Fm,
    /// The most new blocks in each question
    Vstte,
    /// As `sc`, with a solver that prefers what is not covered
    Prefer,
}

impl Command for Cover {
    type Options = CoverOptions;

    fn program(options: &CoverOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &CoverOptions, read: ReadFile) -> Result<Query<CoverSettings>, String> {
        options.criterion.checked()?;
        let settings = CoverSettings {
            unwind: options.unwind,
            algorithm: name(&options.algorithm),
            precondition: options.precondition.clone(),
            summaries: options.summaries,
        };
        options.program.query(read, settings)
    }

    fn settled(question: &Question<CoverSettings>, options: &CoverOptions, listener: &mut Listener) -> Reply<CoverDocument> {
        match options.program.only {
            true => Cover::answer(question, listener),
            false if let Some(choice) = options.criterion.choice() => cover_on(question, choice, listener),
            false => settled_cover(question.request, question.settings, listener),
        }
    }

    fn unfolding(options: &CoverOptions) -> Option<GraphUnfolding> {
        options.criterion.unfolding()
    }

    fn text(document: &CoverDocument, _: &Query<CoverSettings>, _: &CoverOptions) -> String {
        let criterion = document.criterion.as_ref();
        let criterion =
            criterion.map(|criterion| format!("\n{}\n{}", criterion.sentence, criterion_text::text(&document.header, criterion)));
        text(document) + &criterion.unwrap_or_default()
    }
}

/// The document of Cover with the goals of a criterion.
fn cover_on(question: &Question<CoverSettings>, choice: CriterionChoice, listener: &mut Listener) -> Reply<CoverDocument> {
    let settings = EngineSettings { cover: question.settings.clone(), ..EngineSettings::default() };
    let ordinary = match choice.unfolding() {
        None => settled(question.request, &settings, listener),
        Some(_) => settled(question.request, &settings, &mut without_claims(listener)),
    };
    let with_criterion = ordinary.and_then(|settled| {
        let mut document = settled.cover_document(question.request).expect("Cover begins");
        let verdicts = OrdinaryVerdicts { settled: &settled, covered: &document };
        let mut criterion = criterion_document(question.request, choice, &verdicts, listener)?;
        criterion.tell(&mut document.header);
        document.criterion = Some(criterion);
        Ok(document)
    });
    match with_criterion {
        Ok(document) => Reply::Document { document },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

fn bound(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_UNWIND).ok_or_else(|| format!("a number of unwindings is a whole number from 0 to {MAX_UNWIND}"))
}
