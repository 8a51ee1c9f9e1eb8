//! `pacenote config`.

use crate::{desk, transcript};

#[test]
fn every_layer_is_named() {
    let mut desk = desk();
    transcript!(desk, ["config show", "config show --origin"], @"
    $ pacenote config show
    context.budget_tokens      4800
    context.inject             on
    context.off_projects
    context.off_sources
    context.receipt_days       30
    context.skill_tokens       15000
    hooks.everywhere           off
    mail.inbox_limit           20
    mail.reservation_minutes   60
    output.color               auto
    skills.default             superpowers:test-driven-development
    skills.extra_roots
    skills.inject_core_skills  on
    skills.injection_format    summary
    skills.task_rules
    store.backups_kept         3
    store.backup_hours         24
    tasks.mirror               on
    workflows.format           auto
    workflows.test_command
    $ pacenote config show --origin
    context.budget_tokens      4800                                 built in
    context.inject             on                                   built in
    context.off_projects                                            built in
    context.off_sources                                             built in
    context.receipt_days       30                                   built in
    context.skill_tokens       15000                                built in
    hooks.everywhere           off                                  built in
    mail.inbox_limit           20                                   built in
    mail.reservation_minutes   60                                   built in
    output.color               auto                                 built in
    skills.default             superpowers:test-driven-development  built in
    skills.extra_roots                                              built in
    skills.inject_core_skills  on                                   built in
    skills.injection_format    summary                              built in
    skills.task_rules                                               built in
    store.backups_kept         3                                    built in
    store.backup_hours         24                                   built in
    tasks.mirror               on                                   built in
    workflows.format           auto                                 built in
    workflows.test_command                                          built in
    ");
    let home = desk.root().join("home/.config/pacenote");
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::write(home.join("config.toml"), "[mail]\ninbox_limit = 5\n").expect("a file");
    desk.write(".pacenote/config.toml", "[mail]\ninbox_limit = 200\nreservation_minutes = 1\n");
    desk.set("PACENOTE_MAIL_RESERVATION_MINUTES", "15");
    transcript!(desk, ["config show --origin", "config show --json"], @r#"
    $ pacenote config show --origin
    context.budget_tokens      4800                                 built in
    context.inject             on                                   built in
    context.off_projects                                            built in
    context.off_sources                                             built in
    context.receipt_days       30                                   built in
    context.skill_tokens       15000                                built in
    hooks.everywhere           off                                  built in
    mail.inbox_limit           5                                    `/desk/home/.config/pacenote/config.toml` line 2; shadows 20 of built in; ignored: 200 of `/desk/shop/.pacenote/config.toml` line 2, which is not trusted
    mail.reservation_minutes   15                                   the variable `PACENOTE_MAIL_RESERVATION_MINUTES`; shadows 60 of built in; ignored: 1 of `/desk/shop/.pacenote/config.toml` line 3, which is not trusted
    output.color               auto                                 built in
    skills.default             superpowers:test-driven-development  built in
    skills.extra_roots                                              built in
    skills.inject_core_skills  on                                   built in
    skills.injection_format    summary                              built in
    skills.task_rules                                               built in
    store.backups_kept         3                                    built in
    store.backup_hours         24                                   built in
    tasks.mirror               on                                   built in
    workflows.format           auto                                 built in
    workflows.test_command                                          built in
    $ pacenote config show --json
    {
      "settings": [
        {
          "key": "context.budget_tokens",
          "value": "4800",
          "origin": "built in",
          "about": "how many tokens an agent is told at most at the beginning of an epoch",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "context.inject",
          "value": "on",
          "origin": "built in",
          "about": "whether agents are told anything",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "context.off_projects",
          "value": "",
          "origin": "built in",
          "about": "directories in whose projects agents are told nothing, separated by `:`",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "context.off_sources",
          "value": "",
          "origin": "built in",
          "about": "what agents are not told, separated by commas: mail, skills, activity, plan, …",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "context.receipt_days",
          "value": "30",
          "origin": "built in",
          "about": "how many days the texts that agents were told are kept",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "context.skill_tokens",
          "value": "15000",
          "origin": "built in",
          "about": "how many tokens more, for a skill that a task names, where the host takes long answers",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "hooks.everywhere",
          "value": "off",
          "origin": "built in",
          "about": "whether hooks speak in every project, not only where pacenote is used",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "mail.inbox_limit",
          "value": "5",
          "origin": "`/desk/home/.config/pacenote/config.toml` line 2",
          "about": "how many messages the inbox shows at most",
          "shadowed": [
            {
              "origin": "built in",
              "value": "20"
            }
          ],
          "ignored": {
            "origin": "`/desk/shop/.pacenote/config.toml` line 2",
            "value": "200"
          }
        },
        {
          "key": "mail.reservation_minutes",
          "value": "15",
          "origin": "the variable `PACENOTE_MAIL_RESERVATION_MINUTES`",
          "about": "how many minutes a reservation of paths lasts",
          "shadowed": [
            {
              "origin": "built in",
              "value": "60"
            }
          ],
          "ignored": {
            "origin": "`/desk/shop/.pacenote/config.toml` line 3",
            "value": "1"
          }
        },
        {
          "key": "output.color",
          "value": "auto",
          "origin": "built in",
          "about": "when output for people is coloured",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "skills.default",
          "value": "superpowers:test-driven-development",
          "origin": "built in",
          "about": "the skill for a task that no rule is about: a name, several with commas, or `none`",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "skills.extra_roots",
          "value": "",
          "origin": "built in",
          "about": "more directories in which skills are looked for, separated by `:`",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "skills.inject_core_skills",
          "value": "on",
          "origin": "built in",
          "about": "whether skills that always apply (`alwaysApply`) are injected; `off` also against a rule",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "skills.injection_format",
          "value": "summary",
          "origin": "built in",
          "about": "how much of skills is injected, unless a rule says otherwise; `none` also against a rule",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "skills.task_rules",
          "value": "",
          "origin": "built in",
          "about": "which titles call for which skill, before the built-in rules: `phrase -> skill; …`",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "store.backups_kept",
          "value": "3",
          "origin": "built in",
          "about": "how many backups of the store are kept",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "store.backup_hours",
          "value": "24",
          "origin": "built in",
          "about": "after how many hours the store is backed up again",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "tasks.mirror",
          "value": "on",
          "origin": "built in",
          "about": "whether what an agent puts on its host's own list becomes a task here",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "workflows.format",
          "value": "auto",
          "origin": "built in",
          "about": "how steps of workflows are printed: `auto` is text where a host escapes tags",
          "shadowed": [],
          "ignored": null
        },
        {
          "key": "workflows.test_command",
          "value": "",
          "origin": "built in",
          "about": "how a workflow runs the tests: a program and its arguments; without it the agent does",
          "shadowed": [],
          "ignored": null
        }
      ],
      "problems": []
    }
    "#);
}

#[test]
fn mistakes_are_told_all_at_once() {
    let mut desk = desk();
    let home = desk.root().join("home/.config/pacenote");
    std::fs::create_dir_all(&home).expect("a directory");
    let settings = "[mail]\ninbox_limt = 5\nreservation_minutes = \"long\"\n";
    std::fs::write(home.join("config.toml"), settings).expect("a file");
    desk.write(".pacenote/config.toml", "[mail\n");
    desk.set("PACENOTE_COLOR", "sometimes");
    transcript!(desk, ["config show", "mail inbox", "doctor"], @"
    $ pacenote config show
    context.budget_tokens      4800
    context.inject             on
    context.off_projects
    context.off_sources
    context.receipt_days       30
    context.skill_tokens       15000
    hooks.everywhere           off
    mail.inbox_limit           20
    mail.reservation_minutes   60
    output.color               auto
    skills.default             superpowers:test-driven-development
    skills.extra_roots
    skills.inject_core_skills  on
    skills.injection_format    summary
    skills.task_rules
    store.backups_kept         3
    store.backup_hours         24
    tasks.mirror               on
    workflows.format           auto
    workflows.test_command
    warning: `/desk/home/.config/pacenote/config.toml` line 2 has an unknown setting `mail.inbox_limt`
    warning: `/desk/home/.config/pacenote/config.toml` line 3 sets `mail.reservation_minutes` to the text `long`, but it must be a whole number from 1 to 10080
    warning: `/desk/shop/.pacenote/config.toml` line 1 is not TOML: unclosed table, expected `]` (this file is not trusted and was ignored)
    warning: the variable `PACENOTE_COLOR` sets `output.color` to `sometimes`, but it must be one of `auto`, `always`, `never`
    $ pacenote mail inbox
    error: `/desk/home/.config/pacenote/config.toml` line 2 has an unknown setting `mail.inbox_limt`
    error: `/desk/home/.config/pacenote/config.toml` line 3 sets `mail.reservation_minutes` to the text `long`, but it must be a whole number from 1 to 10080
    error: the variable `PACENOTE_COLOR` sets `output.color` to `sometimes`, but it must be one of `auto`, `always`, `never`

    hint: did you mean `mail.inbox_limit`?
    [exit 1]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    fail  settings: `/desk/home/.config/pacenote/config.toml` line 2 has an unknown setting `mail.inbox_limt`
          `/desk/home/.config/pacenote/config.toml` line 3 sets `mail.reservation_minutes` to the text `long`, but it must be a whole number from 1 to 10080
          `/desk/shop/.pacenote/config.toml` line 1 is not TOML: unclosed table, expected `]`
          the variable `PACENOTE_COLOR` sets `output.color` to `sometimes`, but it must be one of `auto`, `always`, `never`
          hint: `pacenote config show --origin`
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: none yet: sessions are briefed without it, and the first command that writes makes it at `/desk/home/.local/share/pacenote/pacenote.db`
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    ok    in use: the project says so, and nothing was done in it yet
    ok    rules: 13 in force
    [exit 1]
    ");
}

#[test]
fn a_mistake_is_told_with_the_backup_and_not_after_every_command() {
    let mut desk = desk();
    desk.set("PACENOTE_COLOR", "sometimes");
    transcript!(desk, [r#"task add "First""#, r#"task add "Second""#], @r#"
    $ pacenote task add "First"
    added t-1 #1 (open) First
    warning: the variable `PACENOTE_COLOR` sets `output.color` to `sometimes`, but it must be one of `auto`, `always`, `never`
    $ pacenote task add "Second"
    added t-2 #2 (open) Second
    "#);
}

#[test]
fn every_command_that_writes_backs_up() {
    let desk = desk();
    desk.write("plan.md", "### Task 1: Model\n");
    let backups = desk.data().join("backups");
    for line in [
        r#"task add "First""#,
        "task block #1 stuck --json",
        "task delete #1",
        "task import plan.md --json",
        "mail send --to backend --subject Hi Hello",
        "mail read #1",
        "mail ack #1 --json",
        "mail reserve src",
        "mail release --all --json",
    ] {
        if backups.exists() {
            std::fs::remove_dir_all(&backups).expect("backups");
        }
        let ran = desk.run(line);
        assert_eq!(ran.code, "0", "{line}: {}", ran.stderr);
        let copies = std::fs::read_dir(&backups).expect("backups").filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with("pacenote-")
        });
        assert_eq!(copies.count(), 1, "{line}");
    }
}
