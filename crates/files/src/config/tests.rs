//! Settings are loaded as a person would write them, and told back as `config show` would.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// Layers as a test writes them down.
#[derive(Default)]
struct Desk {
    user: Option<&'static str>,
    project: Option<&'static str>,
    trusted: bool,
    environment: BTreeMap<&'static str, &'static str>,
    flags: Vec<(&'static str, &'static str)>,
}

impl Desk {
    fn load(self) -> (Settings, Vec<Problem>) {
        let file = |path: &str, text: &str| FileText { path: path.into(), text: text.to_owned() };
        let environment = |name: &str| self.environment.get(name).map(|value| (*value).to_owned());
        Settings::load(Layers {
            user: self.user.map(|text| file("/home/config.toml", text)),
            project: self.project.map(|text| file("/app/config.toml", text)),
            project_is_trusted: self.trusted,
            environment: &environment,
            flags: self
                .flags
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        })
    }

    fn problems(self) -> Vec<String> {
        let shown = |problem: &Problem| match problem.error.hint() {
            Some(hint) => format!("{:?}: {}; {hint}", problem.weight, problem.error),
            None => format!("{:?}: {}", problem.weight, problem.error),
        };
        self.load().1.iter().map(shown).collect()
    }
}

/// Shows one row as `value < shadowed < … (ignored …)`, each with its origin.
fn shown(row: &Row) -> String {
    let pair = |(origin, value): &(Origin, Value)| format!("{value} from {origin}");
    let mut layers = vec![pair(&(row.origin.clone(), row.value.clone()))];
    layers.extend(row.shadowed.iter().map(pair));
    let ignored = row.ignored.iter().map(|layer| format!(" (ignored: {})", pair(layer)));
    layers.join(" < ") + &ignored.collect::<String>()
}

fn row(settings: &Settings, key: &str) -> String {
    shown(settings.rows().iter().find(|row| row.key == key).unwrap())
}

#[test]
fn without_layers_the_built_in_values_hold() {
    let (settings, problems) = Desk::default().load();
    assert_eq!(problems, []);
    assert_eq!(settings.mail_inbox_limit(), 20);
    assert_eq!(settings.mail_reservation_minutes(), 60);
    assert_eq!(settings.output_color(), ColorChoice::Auto);
    assert_eq!(settings.store_backups_kept(), 3);
    assert_eq!(settings.store_backup_hours(), 24);
    let rows = settings.rows();
    assert_eq!(rows.len(), SETTINGS.len());
    for row in rows {
        assert_eq!(row.origin, Origin::BuiltIn, "{}", row.key);
        assert_eq!((row.shadowed, row.ignored), (vec![], None), "{}", row.key);
    }
}

#[test]
fn every_setting_can_be_set_by_its_variable() {
    let (settings, problems) = Desk {
        environment: BTreeMap::from([
            ("PACENOTE_MAIL_INBOX_LIMIT", "1"),
            ("PACENOTE_MAIL_RESERVATION_MINUTES", "2"),
            ("PACENOTE_COLOR", "never"),
            ("PACENOTE_STORE_BACKUPS_KEPT", "4"),
            ("PACENOTE_STORE_BACKUP_HOURS", "5"),
        ]),
        ..Desk::default()
    }
    .load();
    assert_eq!(problems, []);
    assert_eq!(settings.mail_inbox_limit(), 1);
    assert_eq!(settings.mail_reservation_minutes(), 2);
    assert_eq!(settings.output_color(), ColorChoice::Never);
    assert_eq!(settings.store_backups_kept(), 4);
    assert_eq!(settings.store_backup_hours(), 5);
}

#[test]
fn a_higher_layer_wins_and_the_lower_ones_are_told() {
    let (settings, problems) = Desk {
        user: Some("# mine\nmail.inbox_limit = 3\n\n[output]\ncolor = 'always'\n"),
        project: Some("[mail]\ninbox_limit = 0xc8\n"),
        trusted: false,
        environment: BTreeMap::from([("PACENOTE_MAIL_INBOX_LIMIT", "4"), ("PACENOTE_COLOR", "")]),
        flags: vec![("mail.inbox_limit", "5"), ("mail.inbox_limit", "6")],
    }
    .load();
    assert_eq!(problems, []);
    assert_eq!(settings.mail_inbox_limit(), 6);
    assert_eq!(settings.output_color(), ColorChoice::Always);
    assert_eq!(
        row(&settings, "mail.inbox_limit"),
        "6 from the command line < 5 from the command line \
         < 4 from the variable `PACENOTE_MAIL_INBOX_LIMIT` < 3 from `/home/config.toml` line 2 \
         < 20 from built in (ignored: 200 from `/app/config.toml` line 2)"
    );
    assert_eq!(
        row(&settings, "output.color"),
        "always from `/home/config.toml` line 5 < auto from built in"
    );
}

#[test]
fn the_file_of_a_project_decides_nothing() {
    let desk = Desk { project: Some("mail.inbox_limit = 3"), ..Desk::default() };
    let (settings, problems) = desk.load();
    assert_eq!(problems, []);
    assert_eq!(settings.mail_inbox_limit(), 20);
    assert_eq!(
        row(&settings, "mail.inbox_limit"),
        "20 from built in (ignored: 3 from `/app/config.toml` line 1)"
    );
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_layers() {
    let desk = Desk {
        user: Some(
            "[output]\ncolour = 'never'\n[mail]\ninbox_limit = 0\nreservation_minutes = \"60\"\n\
             [mail.deep.er]\nx = 1\n[empty]\n",
        ),
        project: Some("mail = 3\nstore.backups_kept = 99\n"),
        trusted: false,
        environment: BTreeMap::from([("PACENOTE_COLOR", "blue")]),
        flags: vec![("store.backup_hours", "often"), ("nonsense", "1")],
    };
    assert_eq!(
        desk.problems(),
        [
            "Error: `/home/config.toml` line 2 has an unknown setting `output.colour`; \
             did you mean `output.color`?",
            "Error: `/home/config.toml` line 4 sets `mail.inbox_limit` to `0`, \
             but it must be a whole number from 1 to 200",
            "Error: `/home/config.toml` line 5 sets `mail.reservation_minutes` to the text `60`, \
             but it must be a whole number from 1 to 10080",
            "Error: `/home/config.toml` line 7 has an unknown setting `mail.deep.er.x`",
            "Error: `/home/config.toml` line 8 has an unknown setting `empty`",
            "Warning: `/app/config.toml` line 1 has an unknown setting `mail`; \
             did you mean `mail.inbox_limit`?",
            "Warning: `/app/config.toml` line 2 sets `store.backups_kept` to `99`, \
             but it must be a whole number from 1 to 50",
            "Error: the variable `PACENOTE_COLOR` sets `output.color` to `blue`, \
             but it must be one of `auto`, `always`, `never`",
            "Error: the command line sets `store.backup_hours` to `often`, \
             but it must be a whole number from 1 to 8760",
            "Error: the command line has an unknown setting `nonsense`",
        ]
    );
}

#[test]
fn a_refused_value_leaves_the_setting_to_the_layer_below() {
    let desk = Desk {
        user: Some("mail.inbox_limit = 7"),
        environment: BTreeMap::from([("PACENOTE_MAIL_INBOX_LIMIT", "lots")]),
        ..Desk::default()
    };
    let (settings, problems) = desk.load();
    assert_eq!((settings.mail_inbox_limit(), problems.len()), (7, 1));
}

#[test]
fn a_value_of_another_type_is_shown_as_what_it_is() {
    let table = [
        ("1.5", "`1.5`"),
        ("true", "`true`"),
        ("-1", "`-1`"),
        ("99999999999999999999", "`99999999999999999999`"),
        ("1979-05-27", "`1979-05-27`"),
        ("[1]", "an array"),
        ("{ a = 1 }", "a table"),
        ("\"a\\u001b[2J\"", "the text `a\\u{1b}[2J`"),
    ];
    for (value, found) in table {
        let text = FileText {
            path: "/home/config.toml".into(),
            text: format!("mail.inbox_limit = {value}\n"),
        };
        let layers = Layers {
            user: Some(text),
            project: None,
            project_is_trusted: false,
            environment: &|_| None,
            flags: vec![],
        };
        let (_, problems) = Settings::load(layers);
        let shown: Vec<_> = problems.iter().map(|problem| problem.error.to_string()).collect();
        assert_eq!(
            shown,
            [format!(
                "`/home/config.toml` line 1 sets `mail.inbox_limit` to {found}, \
                 but it must be a whole number from 1 to 200"
            )]
        );
    }
}

#[test]
fn a_file_that_is_not_toml_says_where_and_decides_nothing() {
    let broken = "mail.inbox_limit = 7\nbackups = \nbackups = 2\n";
    let (settings, _) = Desk { user: Some(broken), ..Desk::default() }.load();
    assert_eq!(settings.mail_inbox_limit(), 20);
    assert_eq!(
        Desk { user: Some(broken), project: Some("= 1"), ..Desk::default() }.problems(),
        [
            "Error: `/home/config.toml` line 2 is not TOML: \
             string values must be quoted, expected literal string",
            "Error: `/home/config.toml` line 3 is not TOML: duplicate key",
            "Warning: `/app/config.toml` line 1 is not TOML: \
             unquoted keys cannot be empty, expected letters, numbers, `-`, `_`",
        ]
    );
}

#[test]
fn a_file_full_of_mistakes_is_told_by_its_first_few() {
    let text = Some(FileText { path: "/home/config.toml".into(), text: "oops\n".repeat(1000) });
    let layers = Layers {
        user: text,
        project: None,
        project_is_trusted: false,
        environment: &|_| None,
        flags: vec![],
    };
    assert_eq!(Settings::load(layers).1.len(), 10);
}

proptest! {
    #[test]
    fn no_project_file_ever_decides_or_stops_anything(text in any::<String>()) {
        let project = Some(FileText { path: "/app/config.toml".into(), text });
        let layers = Layers { user: None, project, project_is_trusted: false, environment: &|_| None, flags: vec![] };
        let (settings, problems) = Settings::load(layers);
        prop_assert!(settings.rows().iter().all(|row| row.origin == Origin::BuiltIn));
        prop_assert!(problems.iter().all(|problem| problem.weight == Weight::Warning));
    }

    #[test]
    fn a_number_holds_exactly_when_it_is_in_range(number in any::<i64>(), small in 0_i64..300) {
        for number in [number, small] {
            let text = format!("[mail]\ninbox_limit = {number}\n");
            let user = Some(FileText { path: "/home/config.toml".into(), text });
            let layers = Layers { user, project: None, project_is_trusted: false, environment: &|_| None, flags: vec![] };
            let (settings, problems) = Settings::load(layers);
            let allowed = (1..=200).contains(&number);
            prop_assert_eq!(problems.is_empty(), allowed);
            let expected = if allowed { number } else { 20 };
            prop_assert_eq!(i64::from(settings.mail_inbox_limit()), expected);
        }
    }
}

#[test]
fn a_project_decides_once_it_is_trusted_and_the_environment_still_wins() {
    let limit = |trusted, environment: &[(&'static str, &'static str)]| {
        let desk = Desk {
            user: Some("[mail]\ninbox_limit = 5\n"),
            project: Some("[mail]\ninbox_limit = 7\n"),
            trusted,
            environment: environment.iter().copied().collect(),
            ..Desk::default()
        };
        desk.load().0.mail_inbox_limit()
    };
    assert_eq!(limit(false, &[]), 5);
    assert_eq!(limit(true, &[]), 7);
    assert_eq!(limit(true, &[("PACENOTE_MAIL_INBOX_LIMIT", "9")]), 9);
}
