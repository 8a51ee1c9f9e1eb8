//! Every hard cap, with its reason. A limit that is not here does not exist.

/// Longest task title or mail subject, in characters.
///
/// A title is one line of a tree that is shown whole at every session start; past this it is prose
/// and belongs in a note.
pub const TITLE_CHARACTERS: usize = 300;

/// Largest note or block reason, in bytes.
///
/// A note is read by a model between other things; what is larger is a document and has a path.
pub const NOTE_BYTES: usize = 16 * 1024;

/// Largest mail body, in bytes.
///
/// Four times a note: mail may quote a diff, yet the inbox of fifty messages stays under 4 MiB.
pub const MAIL_BODY_BYTES: usize = 64 * 1024;

/// Longest agent name, in bytes: the length of a DNS label, which every host accepts as a name.
pub const AGENT_NAME_BYTES: usize = 64;

/// Longest branch name, in bytes: the longest file name of common file systems, as git stores refs.
pub const BRANCH_BYTES: usize = 255;

/// Longest skill reference, in bytes: two names of 64 and a colon, doubled for nested agents.
pub const SKILL_REF_BYTES: usize = 256;

/// Longest session id a host may give us, in bytes. Real ones are UUIDs of 36.
pub const HOST_ID_BYTES: usize = 256;

/// Longest idempotency key, in bytes. Keys are UUIDs or `log:<name>:<offset>`.
pub const COMMIT_KEY_BYTES: usize = 200;

/// Longest reserved path pattern, in bytes; deeper paths are reserved by a directory above them.
pub const PATH_PATTERN_BYTES: usize = 512;

/// Most parts of a reserved path pattern. Deep trees have twenty levels.
///
/// This and the next two bound what comparing two patterns costs: all that are wanted are compared
/// with all that are held while the store is locked for everybody else.
pub const PATH_PATTERN_PARTS: usize = 32;

/// Longest part of a path pattern, in bytes: the longest file name of common file systems.
pub const PATH_PATTERN_PART_BYTES: usize = 255;

/// Most wildcards in one path pattern; a date such as `????-??-??*.md` has nine.
pub const PATH_PATTERN_WILDCARDS: usize = 10;

/// Longest plan path, in bytes: `PATH_MAX` of Linux.
pub const PLAN_PATH_BYTES: usize = 4096;

/// Most recipients of one message. A larger audience is a broadcast, which mail is not.
pub const MAIL_RECIPIENTS: usize = 50;

/// Most mentions read from one message. Not every word with an `@` is an agent, so it is four times
/// the recipients; each is looked up in the store.
pub const MENTIONS: usize = 4 * MAIL_RECIPIENTS;

/// Most path patterns in one reservation request.
pub const RESERVATION_PATTERNS: usize = 50;

/// Most direct dependencies of one task; more are expressed through a parent.
pub const TASK_DEPENDENCIES: usize = 50;

/// Deepest nesting of tasks. Real plans have three levels; the cap keeps rendering bounded.
pub const TASK_DEPTH: usize = 16;

/// Most effects in one commit: a plan of 2,000 items may revise, tick and remove each of them.
pub const EFFECTS_PER_COMMIT: usize = 8192;

/// Largest plan file that is read, in bytes. The longest plan in the wild is under 200 KiB.
pub const PLAN_BYTES: u64 = 2 * 1024 * 1024;

/// Most tasks and steps taken from one plan.
pub const PLAN_ITEMS: usize = 2000;

/// Characters (UTF-16 units) of one Claude Code hook answer; past this the client cuts it.
pub const CLAUDE_CONTEXT_UTF16: usize = 10_000;

/// Most tokens of a fragment that is one sentence: who you are, what to do now, how to read this.
///
/// Four times the longest ordinary one; a branch name may have 255 bytes.
pub const SENTENCE_TOKENS: u32 = 300;

/// Most tokens of the sentence about the position: it quotes two titles and a reason.
pub const POSITION_TOKENS: u32 = 500;

/// Most tokens of the task tree: the current task, a dozen steps and a count of the others, with titles
/// of the greatest length. Past this it is folded.
pub const TASK_TREE_TOKENS: u32 = 1_500;

/// Most tokens of a plan: what binds every task, and the section of the current one. Never less than the
/// tree gets, and more than the default budget, so that the budget decides.
pub const PLAN_TOKENS: u32 = 6_000;

/// Most tokens of one bound skill: what four parts of a Claude Code briefing hold, be the words ever
/// so short. Of 1,221 real skills 99 in 100 take less than 10,000.
pub const BOUND_SKILL_TOKENS: u32 = 15_000;

/// Most tokens of the message for which an agent is woken: what the largest mail can hold.
pub const INCOMING_TOKENS: u32 = 22_000;

/// Most tokens of notes, of the mail or of a handoff: a page to read before the work begins.
pub const READING_TOKENS: u32 = 3_000;

/// Most tokens of the list of skills: forty lines. Whoever looks for more searches.
pub const SKILL_INDEX_TOKENS: u32 = 1_500;

/// Most tokens of recent activity: ten lines, with room for long titles.
pub const ACTIVITY_TOKENS: u32 = 800;

/// Most sections of a text that are told or left out one by one; those after are one with the last.
///
/// Of 1,221 real skills none has more than 143. Each may become a line of a receipt.
pub const TEXT_SECTIONS: usize = 256;

/// Most skills listed in a briefing. Each becomes a line of a receipt; the others are counted.
pub const LISTED_SKILLS: usize = 40;

/// Most messages listed in a briefing; the others are counted.
pub const LISTED_MESSAGES: usize = 20;

/// Most events of recent activity in a briefing; the older ones are left away.
pub const LISTED_EVENTS: usize = 10;

/// Most skills that one task asks for: a method, a process and what to know of the field, with room.
pub const TASK_SKILLS: usize = 8;

/// Largest SKILL.md that is read, in bytes. The largest of 20,000 real ones has 160 KiB; past this
/// it is a dump and only its beginning would be read by anyone.
pub const SKILL_BYTES: u64 = 1024 * 1024;

/// Largest frontmatter, in bytes: four times the longest seen.
pub const FRONTMATTER_BYTES: usize = 64 * 1024;

/// Deepest directory below a skill root in which a SKILL.md is looked for.
pub const SKILL_DEPTH: usize = 6;

/// Most directories that are walked below one root: ten thousand skills with their references.
pub const SKILL_DIRECTORIES: usize = 100_000;

/// Longest request, or last words of a turn, that a session keeps, in characters: a long paragraph.
/// What is longer is a document, and a briefing has room for a hint of it only.
pub const SAID_CHARACTERS: usize = 1_000;

/// Most questions at the end of a turn that are kept. Somebody who asks more asks for a meeting.
pub const OPEN_QUESTIONS: usize = 5;

/// Longest of these questions, in characters: two sentences.
pub const QUESTION_CHARACTERS: usize = 300;
