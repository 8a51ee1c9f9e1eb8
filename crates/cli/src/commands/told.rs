//! `pacenote brief`, `why`, `replay` and `bill`: what agents are told, and what that costs.

use clap::{Args, ValueEnum};
use pacenote_context::{
    inert,
    pack::{Packed, PartCount, Silence},
};
use pacenote_engine::{
    billing::{Charge, bill as bill_of},
    briefing::{BriefingMoment, Preview, preview},
    receipts::{self, Delivery, Replayed},
    sessions::{self, SessionRef},
    situation::SettingsSource,
    skills::{Library, Surroundings},
};
use pacenote_hosts::Host;
use pacenote_model::ReceiptItem;
use pacenote_store::Access;
use serde::Serialize;

use super::{columns, session::take_in_logs, skill::warn_of_lock};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
};

#[derive(Debug, Args)]
pub(crate) struct BriefArguments {
    /// The agent that would be told; without one, the caller
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The host it would be told through
    #[arg(long, value_name = "HOST", default_value = "claude")]
    host: String,
    /// The moment
    #[arg(long, value_enum, default_value = "session-start")]
    event: EventArgument,
    /// Most tokens, instead of the setting `context.budget_tokens`
    #[arg(long, value_name = "TOKENS")]
    budget: Option<u32>,
    /// Most parts; without a number, as many as are installed for the host
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    parts: Option<u8>,
    /// Show what became of every item instead of the text
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EventArgument {
    /// A context begins
    SessionStart,
    /// A context begins again after a compaction
    Compact,
    /// An earlier session goes on
    Resume,
    /// The person sends a prompt
    Prompt,
}

#[derive(Debug, Args)]
pub(crate) struct WhyArguments {
    /// A skill, a task, a message (`mail:#7`) or an item as a receipt names it; without one, all
    /// that was told last
    item: Option<String>,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The session: `#3` or a UUID
    session: String,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
pub(crate) struct BillArguments {
    /// The agent; without one, the caller
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The host
    #[arg(long, value_name = "HOST", default_value = "claude")]
    host: String,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn brief(
    environment: &Environment,
    arguments: &BriefArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let moment = match arguments.event {
        EventArgument::SessionStart | EventArgument::Compact => BriefingMoment::Beginning,
        EventArgument::Resume | EventArgument::Prompt => BriefingMoment::Within,
    };
    let (host, settings) = (host(&arguments.host)?, environment.settings()?);
    let variable = |name: &str| environment.variable(name);
    let person = environment.person(&variable, SettingsSource::Known(&settings));
    let packed = preview(
        &desk,
        &person,
        &Preview {
            agent: arguments.agent.as_deref(),
            host,
            directory: &working_directory()?,
            moment,
            budget: arguments.budget,
            parts: parts_for(host, arguments.parts),
        },
    )?;
    warn_of_lock(&desk, output);
    if arguments.json.json {
        return output.json(&BriefView::new(&packed));
    }
    if arguments.explain {
        return explain(&packed, output);
    }
    if packed.parts.is_empty() {
        let why = packed.silence.map_or("nothing to say", Silence::word);
        output.say(&format!("nothing would be told: {why}"));
        return Ok(());
    }
    let texts: Vec<&str> = packed.parts.iter().map(|part| part.text.as_str()).collect();
    output.text(&inert(&texts.join("\n")))
}

/// Returns how many answers bring a session of a host everything.
pub(super) fn parts_for(host: Host, wanted: Option<u8>) -> PartCount {
    let parts = wanted.or(host.capabilities().parts);
    parts.and_then(PartCount::new).unwrap_or(PartCount::ONE)
}

fn host(raw: &str) -> Result<Host, Failure> {
    Host::from_name(raw).ok_or_else(|| {
        let names = Host::ALL.map(|host| format!("`{}`", host.name())).join(", ");
        Failure::new(Kind::User, format!("no host named `{}` is known", inert(raw)))
            .hint(format!("known are {names}"))
    })
}

fn explain(packed: &Packed, output: &mut Output) -> Result<(), Failure> {
    output.text(&items(packed.items.iter()))?;
    let sizes: Vec<String> = packed
        .parts
        .iter()
        .map(|part| format!("{} tokens, {} UTF-16 units", part.size.tokens, part.size.utf16))
        .collect();
    output.text(&format!("{} in {} parts: {}", told(packed), packed.parts.len(), sizes.join("; ")))
}

fn told(packed: &Packed) -> String {
    format!("{} tokens, {} hidden characters dropped", packed.tokens(), packed.hidden)
}

/// Lines items up: what became of each, what it costs, how far it may be believed, and why.
fn items<'a>(items: impl Iterator<Item = &'a ReceiptItem>) -> String {
    let rows: Vec<[String; 6]> = items
        .map(|item| {
            let part = item.part.map(|part| format!("part {part}")).unwrap_or_default();
            let why = item.why.as_deref().map(|why| format!("; {why}")).unwrap_or_default();
            [
                item.fate.clone(),
                format!("{} tokens", item.tokens),
                part,
                item.trust.word().into(),
                item.id.clone(),
                format!("{}{why}", item.reason),
            ]
        })
        .collect();
    columns(&rows)
}

#[derive(Serialize)]
struct BriefView<'a> {
    parts: Vec<&'a str>,
    tokens: u32,
    hidden: usize,
    silence: Option<&'static str>,
    items: &'a [ReceiptItem],
}

impl<'a> BriefView<'a> {
    fn new(packed: &'a Packed) -> Self {
        Self {
            parts: packed.parts.iter().map(|part| part.text.as_str()).collect(),
            tokens: packed.tokens(),
            hidden: packed.hidden,
            silence: packed.silence.map(Silence::word),
            items: &packed.items,
        }
    }
}

pub(crate) fn why(
    environment: &Environment,
    arguments: &WhyArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    take_in_logs(environment, output)?;
    let desk = environment.desk(Access::Read)?;
    let deliveries = match &arguments.item {
        Some(item) => receipts::why(&desk, item)?,
        None => receipts::find_last(&desk)?.into_iter().collect(),
    };
    if arguments.json.json {
        let occasions = deliveries.iter().map(DeliveryView::new).collect();
        return output.json(&WhyView { occasions });
    }
    if deliveries.is_empty() {
        let said = match &arguments.item {
            Some(item) => format!("`{}` was never told to anybody here", inert(item)),
            None => "nothing was told to anybody here yet".to_owned(),
        };
        let failure = Failure::new(Kind::User, said);
        return Err(failure.hint("`pacenote brief --explain` shows what would be told now"));
    }
    for delivery in &deliveries {
        let receipt = &delivery.receipt;
        let heading = format!(
            "{} session {} epoch {}, {} ({})",
            receipt.at,
            delivery.session.number,
            receipt.receipt.epoch,
            receipt.receipt.event,
            receipt.receipt.extent.word(),
        );
        output.text(&heading)?;
        let listed = items(asked(delivery));
        let indented: Vec<String> = listed.lines().map(|line| format!("  {line}")).collect();
        output.text(&indented.join("\n"))?;
    }
    Ok(())
}

fn asked(delivery: &Delivery) -> impl Iterator<Item = &ReceiptItem> {
    let all = &delivery.receipt.receipt.items;
    delivery.items.iter().filter_map(|place| all.get(*place))
}

#[derive(Serialize)]
struct WhyView<'a> {
    occasions: Vec<DeliveryView<'a>>,
}

#[derive(Serialize)]
struct DeliveryView<'a> {
    session: String,
    emission: &'a str,
    epoch: u32,
    event: &'a str,
    extent: &'static str,
    at: String,
    printed: &'a [u8],
    items: Vec<&'a ReceiptItem>,
}

impl<'a> DeliveryView<'a> {
    fn new(delivery: &'a Delivery) -> Self {
        let kept = &delivery.receipt;
        Self {
            session: delivery.session.number.to_string(),
            emission: &kept.receipt.emission,
            epoch: kept.receipt.epoch,
            event: &kept.receipt.event,
            extent: kept.receipt.extent.word(),
            at: kept.at.to_string(),
            printed: &kept.printed,
            items: asked(delivery).collect(),
        }
    }
}

pub(crate) fn replay(
    environment: &Environment,
    arguments: &ReplayArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    take_in_logs(environment, output)?;
    let desk = environment.desk(Access::Read)?;
    let session = sessions::find(&desk, &SessionRef::Ours(&arguments.session))?;
    let tellings = receipts::replay(&desk, &session)?;
    if arguments.json.json {
        let tellings = tellings.iter().map(TellingView::new).collect();
        return output.json(&ReplayView { tellings });
    }
    if tellings.is_empty() {
        output.say("that session was told nothing yet");
        return Ok(());
    }
    for replayed in &tellings {
        let kept = &replayed.receipt;
        let (epoch, event) = (kept.receipt.epoch, &kept.receipt.event);
        output.say(&inert(&format!("epoch {epoch}, {event}, {}", kept.at)));
        for (part, text) in (1..).zip(&replayed.texts) {
            if !kept.printed.contains(&part) {
                output.say(&format!("part {part} was offered and never printed"));
            }
            match text {
                Some(text) => output.text(&inert(text))?,
                None => output.say("the text is not kept any more"),
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct ReplayView<'a> {
    tellings: Vec<TellingView<'a>>,
}

#[derive(Serialize)]
struct TellingView<'a> {
    emission: &'a str,
    epoch: u32,
    event: &'a str,
    extent: &'static str,
    at: String,
    tokens: u32,
    printed: &'a [u8],
    texts: &'a [Option<String>],
    items: &'a [ReceiptItem],
}

impl<'a> TellingView<'a> {
    fn new(replayed: &'a Replayed) -> Self {
        let kept = &replayed.receipt;
        Self {
            emission: &kept.receipt.emission,
            epoch: kept.receipt.epoch,
            event: &kept.receipt.event,
            extent: kept.receipt.extent.word(),
            at: kept.at.to_string(),
            tokens: kept.receipt.tokens,
            printed: &kept.printed,
            texts: &replayed.texts,
            items: &kept.receipt.items,
        }
    }
}

pub(crate) fn bill(
    environment: &Environment,
    arguments: &BillArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = match environment.desk(Access::Write) {
        Ok(desk) => desk,
        Err(failure) => environment.desk(Access::Read).map_err(|_| failure)?,
    };
    let (host, settings) = (host(&arguments.host)?, environment.settings()?);
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: settings.skills_extra_roots(),
    };
    let library = Library::open(&mut desk, &surroundings)?;
    let variable = |name: &str| environment.variable(name);
    let person = environment.person(&variable, SettingsSource::Known(&settings));
    let charges = bill_of(
        &desk,
        &person,
        &library,
        &Preview {
            agent: arguments.agent.as_deref(),
            host,
            directory: &surroundings.directory,
            moment: BriefingMoment::Beginning,
            budget: None,
            parts: parts_for(host, None),
        },
    )?;
    let total = charges.iter().filter_map(|charge| charge.tokens).sum();
    if arguments.json.json {
        let charges = charges.iter().map(ChargeView::new).collect();
        return output.json(&BillView { total, charges });
    }
    let mut rows: Vec<[String; 2]> = charges
        .iter()
        .map(|charge| {
            let tokens = charge.tokens.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
            [format!("{tokens:>6} tokens"), charge.what.clone()]
        })
        .collect();
    rows.push([format!("{total:>6} tokens"), "in all, before the first word".into()]);
    output.text(&columns(&rows))
}

#[derive(Serialize)]
struct BillView<'a> {
    total: u32,
    charges: Vec<ChargeView<'a>>,
}

#[derive(Serialize)]
struct ChargeView<'a> {
    what: &'a str,
    tokens: Option<u32>,
}

impl<'a> ChargeView<'a> {
    fn new(charge: &'a Charge) -> Self {
        Self { what: &charge.what, tokens: charge.tokens }
    }
}
