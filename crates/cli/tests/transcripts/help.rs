//! Every help text.

use crate::{desk, transcript};

#[test]
fn the_top() {
    transcript!(desk(), ["--help", "-h", "--version"], @"
    $ pacenote --help
    The co-driver for coding agents

    Keeps the task tree, the mail and the sessions of your agents, and hands each agent its notes at
    session start and after every compaction.

    Usage: pacenote <COMMAND>

    Commands:
      init         Set agent clients up to call pacenote, and take this project into use
      uninstall    Take back what `init` did
      tour         Watch one agent's whole life, played in a scratch project
      task         Tasks: a tree with dependencies, claims and notes
      mail         Mail between agents, and reservations of paths
      session      Sessions of agents in this project
      skill        Skills: which there are, which file a name means, what changed
      flow         Workflows: processes in steps that an agent cannot lose its place in
      wake         Wake an agent: assemble what it needs to go on, and send it
      status       Show how the work of this project stands
      brief        Show exactly what an agent would be told now
      why          Tell when and why something was told
      replay       Print what a session was told, in order
      bill         Add up what a session pays for before its first word
      lifecycle    Rules: what is told, noted and refused at each moment
      trust        Which files of a repository may act
      allow        Open a gate, which only a person can do
      store        Check, back up and restore the store
      config       Settings and where they come from
      doctor       What is wrong here, and how to mend it
      hook         Answer a host's hook (called by the host, payload on standard input)
      work         Do what takes longer than a hook may (started by hooks)
      audit        Look through our own data for what must not be in it
      bench        Measure recall on questions whose answers are known
      completions  Print the completions of a shell
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version
    $ pacenote -h
    The co-driver for coding agents

    Usage: pacenote <COMMAND>

    Commands:
      init         Set agent clients up to call pacenote, and take this project into use
      uninstall    Take back what `init` did
      tour         Watch one agent's whole life, played in a scratch project
      task         Tasks: a tree with dependencies, claims and notes
      mail         Mail between agents, and reservations of paths
      session      Sessions of agents in this project
      skill        Skills: which there are, which file a name means, what changed
      flow         Workflows: processes in steps that an agent cannot lose its place in
      wake         Wake an agent: assemble what it needs to go on, and send it
      status       Show how the work of this project stands
      brief        Show exactly what an agent would be told now
      why          Tell when and why something was told
      replay       Print what a session was told, in order
      bill         Add up what a session pays for before its first word
      lifecycle    Rules: what is told, noted and refused at each moment
      trust        Which files of a repository may act
      allow        Open a gate, which only a person can do
      store        Check, back up and restore the store
      config       Settings and where they come from
      doctor       What is wrong here, and how to mend it
      hook         Answer a host's hook (called by the host, payload on standard input)
      work         Do what takes longer than a hook may (started by hooks)
      audit        Look through our own data for what must not be in it
      bench        Measure recall on questions whose answers are known
      completions  Print the completions of a shell
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version
    $ pacenote --version
    pacenote 0.1.0
    ");
}

#[test]
fn task() {
    transcript!(desk(), [
        "task --help",
        "task add --help",
        "task list --help",
        "task show --help",
        "task ready --help",
        "task claim --help",
        "task note --help",
        "task block --help",
        "task close --help",
        "task fail --help",
        "task skip --help",
        "task reopen --help",
        "task delete --help",
        "task import --help",
    ], @"
    $ pacenote task --help
    Tasks: a tree with dependencies, claims and notes

    Usage: pacenote task <COMMAND>

    Commands:
      add     Add a task
      list    List the tasks of this project
      show    Show one task with its notes and steps
      ready   List the tasks that can be begun now
      claim   Take a task; fails when somebody else holds it
      note    Add a note to a task
      block   Say that a task cannot go on
      close   Finish a task
      fail    Give a task up
      skip    Decide against a task
      reopen  Make a task open again, for anyone
      delete  Delete a task and its steps
      undo    Undo your last change to tasks
      import  Make tasks from a plan, or bring them up to date with it
      help    Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help
    $ pacenote task add --help
    Add a task

    Usage: pacenote task add [OPTIONS] <TITLE>

    Arguments:
      <TITLE>  One line that says what is to be done

    Options:
          --parent <ID>        Make it a step of this task
          --after <ID>         Begin only after this task is finished (may be repeated)
          --skill <SKILLS>     Skills for it and its steps, with commas or repeated; `none` for no skill
          --plan <FILE>        The plan that describes it
          --section <HEADING>  Where in the plan, such as `Task 2`
          --assign <AGENT>     Who is to do it
          --key <KEY>          Idempotency key: a retry with the same key changes nothing and answers
                               the same
          --json               Print one JSON object
      -h, --help               Print help
    $ pacenote task list --help
    List the tasks of this project

    Usage: pacenote task list [OPTIONS]

    Options:
          --full              Print the tree with the current position
          --state <STATE>     Only tasks in these states [possible values: open, in_progress, blocked,
                              done, skipped, failed]
          --assignee <AGENT>  Only tasks of this agent
          --json              Print one JSON object
      -h, --help              Print help
    $ pacenote task show --help
    Show one task with its notes and steps

    Usage: pacenote task show [OPTIONS] <ID>

    Arguments:
      <ID>  The task: `t-1`, `#12`, `Task 2` or its title

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote task ready --help
    List the tasks that can be begun now

    Usage: pacenote task ready [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote task claim --help
    Take a task; fails when somebody else holds it

    Usage: pacenote task claim [OPTIONS] <ID>

    Arguments:
      <ID>  The task: `t-1`, `#12`, `Task 2` or its title

    Options:
          --agent <AGENT>  Who takes it; without this, the caller
          --take-over      Take it from the agent that holds it
          --key <KEY>      Idempotency key: a retry with the same key changes nothing and answers the
                           same
          --json           Print one JSON object
      -h, --help           Print help
    $ pacenote task note --help
    Add a note to a task

    Usage: pacenote task note [OPTIONS] <ID> <TEXT>

    Arguments:
      <ID>    The task: `t-1`, `#12`, `Task 2` or its title
      <TEXT>  What to note; `-` reads standard input

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task block --help
    Say that a task cannot go on

    Usage: pacenote task block [OPTIONS] <ID> [REASON]

    Arguments:
      <ID>      The task: `t-1`, `#12`, `Task 2` or its title
      [REASON]  Why it cannot go on

    Options:
          --by <ID>    Let it wait on this task
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task close --help
    Finish a task

    Usage: pacenote task close [OPTIONS] <ID>

    Arguments:
      <ID>  The task: `t-1`, `#12`, `Task 2` or its title

    Options:
          --steps      Close its unfinished steps too
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task fail --help
    Give a task up

    Usage: pacenote task fail [OPTIONS] <ID> [REASON]

    Arguments:
      <ID>      The task: `t-1`, `#12`, `Task 2` or its title
      [REASON]  Why

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task skip --help
    Decide against a task

    Usage: pacenote task skip [OPTIONS] <ID> [REASON]

    Arguments:
      <ID>      The task: `t-1`, `#12`, `Task 2` or its title
      [REASON]  Why

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task reopen --help
    Make a task open again, for anyone

    Usage: pacenote task reopen [OPTIONS] <ID>

    Arguments:
      <ID>  The task: `t-1`, `#12`, `Task 2` or its title

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task delete --help
    Delete a task and its steps

    Usage: pacenote task delete [OPTIONS] <ID>

    Arguments:
      <ID>  The task: `t-1`, `#12`, `Task 2` or its title

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    $ pacenote task import --help
    Make tasks from a plan, or bring them up to date with it

    Usage: pacenote task import [OPTIONS] <PLAN>

    Arguments:
      <PLAN>  A Markdown file with headings such as `### Task 1: Add the login form`

    Options:
          --key <KEY>  Idempotency key: a retry with the same key changes nothing and answers the same
          --json       Print one JSON object
      -h, --help       Print help
    ");
}

#[test]
fn mail() {
    transcript!(desk(), [
        "mail --help",
        "mail send --help",
        "mail inbox --help",
        "mail read --help",
        "mail ack --help",
        "mail reserve --help",
        "mail release --help",
        "mail reservations --help",
    ], @"
    $ pacenote mail --help
    Mail between agents, and reservations of paths

    Usage: pacenote mail <COMMAND>

    Commands:
      send          Send a message; the sender is whoever calls
      inbox         List messages without their bodies, newest first
      read          Open a message
      ack           Acknowledge a message
      reserve       Reserve paths, so that others do not edit them
      release       Give reserved paths back
      reservations  List the paths that are reserved
      help          Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help
    $ pacenote mail send --help
    Send a message; the sender is whoever calls

    Usage: pacenote mail send [OPTIONS] --to <AGENT> --subject <TEXT> <BODY>

    Arguments:
      <BODY>  The message; `-` reads standard input. Agents it mentions get it too

    Options:
          --to <AGENT>               Whom it is for: `agent`, `branch:agent` or `project:branch:agent`
          --subject <TEXT>           One line that says what it is about
          --importance <IMPORTANCE>  How much it presses [default: normal] [possible values: low,
                                     normal, high, urgent]
          --ack                      Ask for an acknowledgement
          --reply-to <MESSAGE>       The message this answers; it joins that thread
          --key <KEY>                Idempotency key: a retry with the same key changes nothing and
                                     answers the same
          --json                     Print one JSON object
      -h, --help                     Print help
    $ pacenote mail inbox --help
    List messages without their bodies, newest first

    Usage: pacenote mail inbox [OPTIONS]

    Options:
          --agent <AGENT>    Whose inbox; without this, the caller's
          --branch <BRANCH>  The branch that agent works on; without this, the one checked out here
          --unread           Only messages that were not opened
          --peek             Look without counting the messages as delivered
          --limit <N>        At most so many; without this, the setting `mail.inbox_limit`
          --json             Print one JSON object
      -h, --help             Print help
    $ pacenote mail read --help
    Open a message

    Usage: pacenote mail read [OPTIONS] <MESSAGE>

    Arguments:
      <MESSAGE>  The message: `#7`, `project#7` or a UUID

    Options:
          --agent <AGENT>  Who opens it; without this, the caller
          --key <KEY>      Idempotency key: a retry with the same key changes nothing and answers the
                           same
          --json           Print one JSON object
      -h, --help           Print help
    $ pacenote mail ack --help
    Acknowledge a message

    Usage: pacenote mail ack [OPTIONS] <MESSAGE>

    Arguments:
      <MESSAGE>  The message: `#7`, `project#7` or a UUID

    Options:
          --agent <AGENT>  Who opens it; without this, the caller
          --key <KEY>      Idempotency key: a retry with the same key changes nothing and answers the
                           same
          --json           Print one JSON object
      -h, --help           Print help
    $ pacenote mail reserve --help
    Reserve paths, so that others do not edit them

    Usage: pacenote mail reserve [OPTIONS] <PATTERN>...

    Arguments:
      <PATTERN>...  Paths below the project's root, with `*`, `?` and `**`

    Options:
          --agent <AGENT>  Who holds them; without this, the caller
          --minutes <N>    For how long; without this, the setting `mail.reservation_minutes`
          --shared         Let others hold overlapping patterns, if they share too
          --reason <TEXT>  What for
          --key <KEY>      Idempotency key: a retry with the same key changes nothing and answers the
                           same
          --json           Print one JSON object
      -h, --help           Print help
    $ pacenote mail release --help
    Give reserved paths back

    Usage: pacenote mail release [OPTIONS] [PATTERN]...

    Arguments:
      [PATTERN]...  The patterns or ids to give back

    Options:
          --all            Give everything back
          --agent <AGENT>  Who holds them; without this, the caller
          --key <KEY>      Idempotency key: a retry with the same key changes nothing and answers the
                           same
          --json           Print one JSON object
      -h, --help           Print help
    $ pacenote mail reservations --help
    List the paths that are reserved

    Usage: pacenote mail reservations [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    ");
}

#[test]
fn the_rest() {
    transcript!(desk(), [
        "session --help",
        "session list --help",
        "session show --help",
        "store --help",
        "store check --help",
        "store backup --help",
        "store restore --help",
        "config show --help",
        "doctor --help",
        "hook --help",
        "completions --help",
    ], @"
    $ pacenote session --help
    Sessions of agents in this project

    Usage: pacenote session <COMMAND>

    Commands:
      list     List the sessions of this project, newest first
      show     Show one session
      handoff  What a session leaves behind for the next one
      log      Show or drop lines of session logs that could not be applied
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help
    $ pacenote session list --help
    List the sessions of this project, newest first

    Usage: pacenote session list [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote session show --help
    Show one session

    Usage: pacenote session show [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  The session: `#3`, `s-1` or a UUID; without one, the session that calls

    Options:
          --host <HOST>   The host that knows the session by another id
          --host-id <ID>  The host's own id of the session
          --json          Print one JSON object
      -h, --help          Print help
    $ pacenote store --help
    Check, back up and restore the store

    Usage: pacenote store <COMMAND>

    Commands:
      check    Check that the store is sound
      backup   Copy the store now
      restore  Put the newest sound backup in the place of a damaged store
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help
    $ pacenote store check --help
    Check that the store is sound

    Usage: pacenote store check [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote store backup --help
    Copy the store now

    Usage: pacenote store backup [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote store restore --help
    Put the newest sound backup in the place of a damaged store

    Usage: pacenote store restore [OPTIONS]

    Options:
          --anyway  Do it even if the store is sound
          --empty   Start with an empty store if there is no sound backup
          --json    Print one JSON object
      -h, --help    Print help
    $ pacenote config show --help
    Show every setting with its value

    Usage: pacenote config show [OPTIONS]

    Options:
          --origin  Show which layer decided each value, and what it shadows
          --json    Print one JSON object
      -h, --help    Print help
    $ pacenote doctor --help
    What is wrong here, and how to mend it

    Usage: pacenote doctor [OPTIONS]

    Options:
          --probe [<HOST>...]  Run the clients that are installed against a scripted model, and show
                               what reached it
          --json               Print one JSON object
      -h, --help               Print help
    $ pacenote hook --help
    Answer a host's hook (called by the host, payload on standard input)

    Usage: pacenote hook [OPTIONS] <HOST> <EVENT>

    Arguments:
      <HOST>   The host that calls, such as `claude`
      <EVENT>  The event, such as `session-start`

    Options:
          --part <K/N>  Which part of the answer to print, of how many: for hosts that cut long answers
                        [default: 1/1]
      -h, --help        Print help
    $ pacenote completions --help
    Print the completions of a shell

    Usage: pacenote completions <SHELL>

    Arguments:
      <SHELL>  The shell [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help  Print help
    ");
}

#[test]
fn skill() {
    transcript!(desk(), [
        "skill --help",
        "skill list --help",
        "skill show --help",
        "skill roots --help",
        "skill resolve --help",
        "skill lint --help",
        "skill lock --help",
        "skill verify --help",
        "skill diff --help",
        "skill approve --help",
        "skill new --help",
        "skill eject --help",
    ], @"
    $ pacenote skill --help
    Skills: which there are, which file a name means, what changed

    Usage: pacenote skill <COMMAND>

    Commands:
      list      List the skills that can be used here
      show      Show a skill: what it is, then its text, then what lies beside it
      roots     List where skills are looked for, the strongest first
      resolve   Tell which file a name means here, and why
      search    Find the skills for a request, the best first; none when nothing fits
      for-task  Tell which skill a task is done with, and what decided
      history   List the skills that were chosen in a session or for a task
      parse     Print a skill as data: what it looks for, what it leaves alone, how it works
      scan      Look through all files of skills for what known attacks are made of
      chain     Show which skill names which, with cycles and missing ones
      lint      Check skills against the specification and against what hosts cut off
      lock      Pin skills at their present content in `.pacenote/skills.lock`
      verify    Compare the pinned skills with what is there
      diff      Show what changed in a skill since it was pinned
      approve   Approve a changed skill, or take a project's own skills into use (a person only)
      new       Write the beginning of a new skill
      eject     Copy a built-in skill out for editing
      help      Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help
    $ pacenote skill list --help
    List the skills that can be used here

    Usage: pacenote skill list [OPTIONS]

    Options:
          --host <HOST>  Only skills that this host sees
          --json         Print one JSON object
      -h, --help         Print help
    $ pacenote skill show --help
    Show a skill: what it is, then its text, then what lies beside it

    Usage: pacenote skill show [OPTIONS] <REFERENCE>

    Arguments:
      <REFERENCE>  The skill: `name`, `plugin:name`, `plugin:name@version`, `name/agent` or a path

    Options:
          --section <HEADING>  Only the section under this heading
          --refs               List the files of `references/` and `examples/`
          --file <PATH>        Print one of those files
          --json               Print one JSON object
      -h, --help               Print help
    $ pacenote skill roots --help
    List where skills are looked for, the strongest first

    Usage: pacenote skill roots [OPTIONS]

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote skill resolve --help
    Tell which file a name means here, and why

    Usage: pacenote skill resolve [OPTIONS] <REFERENCES>

    Arguments:
      <REFERENCES>  Skills, separated by commas

    Options:
          --host <HOST>  As this host sees them
          --indexed      Look only at the roots and at the files of these names, and trust the index for
                         the rest
          --json         Print one JSON object
      -h, --help         Print help
    $ pacenote skill lint --help
    Check skills against the specification and against what hosts cut off

    Usage: pacenote skill lint [OPTIONS] [REFERENCES]...

    Arguments:
      [REFERENCES]...  Skills or paths of SKILL.md files; without any, all skills of this project

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote skill lock --help
    Pin skills at their present content in `.pacenote/skills.lock`

    Usage: pacenote skill lock [OPTIONS] <REFERENCES>...

    Arguments:
      <REFERENCES>...  Skills, separated by commas

    Options:
          --yes   Say yes to pinning a changed content (a person only)
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote skill verify --help
    Compare the pinned skills with what is there

    Usage: pacenote skill verify [OPTIONS]

    Options:
          --frozen  Approvals do not count: the content must be the pinned one
          --json    Print one JSON object
      -h, --help    Print help
    $ pacenote skill diff --help
    Show what changed in a skill since it was pinned

    Usage: pacenote skill diff [OPTIONS] [REFERENCE]

    Arguments:
      [REFERENCE]  The skill; without one, all that changed

    Options:
          --json  Print one JSON object
      -h, --help  Print help
    $ pacenote skill approve --help
    Approve a changed skill, or take a project's own skills into use (a person only)

    Usage: pacenote skill approve [OPTIONS] [REFERENCE]

    Arguments:
      [REFERENCE]  The changed skill

    Options:
          --project  Use the skills of this project as they are now
          --later    Use also those that are added or changed later
          --yes      Say yes without being asked
          --json     Print one JSON object
      -h, --help     Print help
    $ pacenote skill new --help
    Write the beginning of a new skill

    Usage: pacenote skill new [OPTIONS] <NAME>

    Arguments:
      <NAME>
              Its name: lowercase letters, digits and `-`

    Options:
          --description <TEXT>
              One sentence that says when to use it

          --in <PLACE>
              Where to write it

              Possible values:
              - project: The repository
              - user:    Your home
              
              [default: project]

          --json
              Print one JSON object

      -h, --help
              Print help (see a summary with '-h')
    $ pacenote skill eject --help
    Copy a built-in skill out for editing

    Usage: pacenote skill eject [OPTIONS] <NAME>

    Arguments:
      <NAME>
              The built-in skill

    Options:
          --in <PLACE>
              Where to write it

              Possible values:
              - project: The repository
              - user:    Your home
              
              [default: project]

          --json
              Print one JSON object

      -h, --help
              Print help (see a summary with '-h')
    ");
}
