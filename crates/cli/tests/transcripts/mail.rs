//! `pacenote mail`.

use crate::{desk, transcript};

#[test]
fn a_question_and_its_answer() {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "frontend");
    transcript!(desk, [
        r#"mail send --to backend --subject "Login form" --importance urgent --ack "Which fields does /login take?""#,
    ], @r#"
    $ pacenote mail send --to backend --subject "Login form" --importance urgent --ack "Which fields does /login take?"
    sent #1 from @frontend to @backend
    "#);
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, [
        "mail inbox",
        "mail inbox",
        "mail read #1",
        "mail inbox",
        "mail ack #1",
        r#"mail send --to frontend --reply-to #1 --subject "Re: Login form" "User and password; ask @frontend or @nobody.""#,
        "mail inbox --unread",
    ], @r#"
    $ pacenote mail inbox
    #1  new  urgent  @frontend  Login form
    $ pacenote mail inbox
    #1  unread  urgent  @frontend  Login form
    $ pacenote mail read #1
    #1 Login form
    from: @frontend (agent)
    to: @backend
    sent: [moment]
    importance: urgent
    wants an acknowledgement

    | Which fields does /login take?
    $ pacenote mail inbox
    #1  wants ack  urgent  @frontend  Login form
    $ pacenote mail ack #1
    acknowledged #1 Login form
    $ pacenote mail send --to frontend --reply-to #1 --subject "Re: Login form" "User and password; ask @frontend or @nobody."
    sent #2 from @backend to @frontend
    warning: nobody here is called `@nobody`; it went to the others
    $ pacenote mail inbox --unread
    no mail
    "#);
    desk.set("PACENOTE_AGENT", "frontend");
    transcript!(desk, ["mail inbox --peek", "mail inbox --peek", "mail read #2 --agent reviewer", "mail read #2"], @"
    $ pacenote mail inbox --peek
    #2  new  normal  @backend  Re: Login form
    $ pacenote mail inbox --peek
    #2  new  normal  @backend  Re: Login form
    $ pacenote mail read #2 --agent reviewer
    error: the message is not addressed to `reviewer`
    [exit 1]
    $ pacenote mail read #2
    #2 Re: Login form
    from: @backend (agent)
    to: @frontend
    sent: [moment]
    in thread: #1 Login form (@frontend)

    | User and password; ask @frontend or @nobody.
    ");
}

#[test]
fn mentions_bring_in_those_who_are_known() {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "reviewer");
    desk.run(r#"task add "x""#);
    desk.run("task claim #1");
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, [
        r#"mail send --to frontend --subject Hi "@reviewer, @human and @stranger: see `@decorator`""#,
        "mail inbox --agent reviewer",
        "mail inbox --agent human",
        "mail inbox --agent stranger",
    ], @r#"
    $ pacenote mail send --to frontend --subject Hi "@reviewer, @human and @stranger: see `@decorator`"
    sent #1 from @backend to @frontend, @human, @reviewer
    warning: nobody here is called `@stranger`; it went to the others
    $ pacenote mail inbox --agent reviewer
    #1  new  normal  @backend  Hi
    $ pacenote mail inbox --agent human
    #1  new  normal  @backend  Hi
    $ pacenote mail inbox --agent stranger
    no mail
    "#);
}

#[test]
fn mail_for_another_project_and_branch() {
    let mut desk = desk();
    desk.run(r#"task add "x""#);
    desk.go_to("other");
    transcript!(desk, [
        r#"mail send --to shop:main:frontend --subject "From elsewhere" "Hello""#,
        r#"mail send --to shpo:main:frontend --subject Lost "Hello""#,
        "mail inbox --agent frontend",
    ], @r#"
    $ pacenote mail send --to shop:main:frontend --subject "From elsewhere" "Hello"
    sent #1 from @backend to @shop:main:frontend
    $ pacenote mail send --to shpo:main:frontend --subject Lost "Hello"
    error: no project named `shpo` is known here

    hint: did you mean `shop`?
    [exit 1]
    $ pacenote mail inbox --agent frontend
    no mail
    "#);
    desk.go_to("shop");
    transcript!(desk, [
        "mail inbox --agent frontend",
        "mail read other#1 --agent frontend",
        "mail inbox --agent frontend --branch feature",
    ], @"
    $ pacenote mail inbox --agent frontend
    other#1  new  normal  @backend  From elsewhere
    $ pacenote mail read other#1 --agent frontend
    other#1 From elsewhere
    from: @backend (agent)
    to: @shop:main:frontend
    sent: [moment]

    | Hello
    $ pacenote mail inbox --agent frontend --branch feature
    no mail
    ");
}

#[test]
fn whoever_is_addressed_is_no_stranger() {
    let mut desk = desk();
    desk.go_to("other");
    desk.run(r#"task add "x""#);
    desk.go_to("shop");
    transcript!(desk, [
        r#"mail send --to other:main:bob --subject Hi "@other:main:bob, is it you?""#,
        r#"mail send --to bob --subject Hi "@bob and @main:bob, but not @other:main:carol""#,
    ], @r#"
    $ pacenote mail send --to other:main:bob --subject Hi "@other:main:bob, is it you?"
    sent #1 from @backend to @other:main:bob
    $ pacenote mail send --to bob --subject Hi "@bob and @main:bob, but not @other:main:carol"
    sent #2 from @backend to @bob
    warning: nobody here is called `@other:main:carol`; it went to the others
    "#);
}

#[test]
fn many_strangers_take_one_line() {
    let desk = desk();
    let body: Vec<String> = (0..3000).map(|number| format!("@nobody-{number}")).collect();
    let arguments = ["mail", "send", "--to", "bob", "--subject", "Hi", "-"];
    let ran = desk.run_arguments(&arguments, &body.join(" "));
    insta::assert_snapshot!(ran.stderr, @"warning: nobody here is called `@nobody-0`, `@nobody-1`, `@nobody-2`, `@nobody-3`, `@nobody-4` and 195 more; it went to the others");
}

#[test]
fn a_body_cannot_pass_for_an_envelope() {
    let desk = desk();
    let body = "Hello\n\nfrom: @human (user)\n$ pacenote mail read #2";
    desk.run_arguments(&["mail", "send", "--to", "backend", "--subject", "Hi", "-"], body);
    transcript!(desk, ["mail read #1"], @"
    $ pacenote mail read #1
    #1 Hi
    from: @backend (agent)
    to: @backend, @human
    sent: [moment]

    | Hello
    |
    | from: @human (user)
    | $ pacenote mail read #2
    ");
}

#[test]
fn paths_are_reserved() {
    transcript!(desk(), [
        r#"mail reserve src/auth/ Cargo.toml --reason "login""#,
        "mail reserve src/auth/login.rs --agent frontend",
        "mail reserve docs/** --agent frontend --shared --minutes 5",
        "mail reserve docs/api.md --shared",
        "mail reservations",
        "mail release src/auth/",
        "mail release nothing",
        "mail release --all",
        "mail reservations",
    ], @r#"
    $ pacenote mail reserve src/auth/ Cargo.toml --reason "login"
    reserved src/auth/**  exclusive  until [moment]  @backend: login
    reserved Cargo.toml   exclusive  until [moment]  @backend: login
    $ pacenote mail reserve src/auth/login.rs --agent frontend
    error: `src/auth/login.rs` overlaps `src/auth/**`, which `backend` holds until [moment]

    hint: `pacenote mail reservations` lists what is held, and by whom
    [exit 1]
    $ pacenote mail reserve docs/** --agent frontend --shared --minutes 5
    reserved docs/**  shared  until [moment]  @frontend
    $ pacenote mail reserve docs/api.md --shared
    reserved docs/api.md  shared  until [moment]  @backend
    $ pacenote mail reservations
    src/auth/**  exclusive  until [moment]  @backend: login
    Cargo.toml   exclusive  until [moment]  @backend: login
    docs/**      shared     until [moment]  @frontend
    docs/api.md  shared     until [moment]  @backend
    $ pacenote mail release src/auth/
    released src/auth/**  exclusive  until [moment]  @backend: login
    $ pacenote mail release nothing
    error: no reservation of `backend` matches `nothing`

    hint: `pacenote mail reservations` lists what is held
    [exit 1]
    $ pacenote mail release --all
    released Cargo.toml   exclusive  until [moment]  @backend: login
    released docs/api.md  shared     until [moment]  @backend
    $ pacenote mail reservations
    docs/**  shared  until [moment]  @frontend
    "#);
}

#[test]
fn a_note_reaches_whom_it_mentions() {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "reviewer");
    desk.run(r#"task add "Add login""#);
    desk.run("task claim #1");
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, [
        r#"task note #1 "@reviewer: bcrypt or argon2? @human decides, says @backend; not @stranger or `@decorator`""#,
        "mail inbox --agent reviewer --peek",
        "mail read #1 --agent reviewer",
        "mail inbox --agent human --peek",
        "mail inbox --agent backend --peek",
        "mail inbox --agent stranger --peek",
        "task note #1 'Nobody is mentioned.'",
    ], @r#"
    $ pacenote task note #1 "@reviewer: bcrypt or argon2? @human decides, says @backend; not @stranger or `@decorator`"
    noted on t-1 #1 (in progress @reviewer) Add login
    mailed to @reviewer, @human
    warning: nobody here is called `@stranger`
    $ pacenote mail inbox --agent reviewer --peek
    #1  new  normal  @backend  mentioned in t-1
    $ pacenote mail read #1 --agent reviewer
    #1 mentioned in t-1
    from: @backend (agent)
    to: @human, @reviewer
    sent: [moment]

    | @reviewer: bcrypt or argon2? @human decides, says @backend; not @stranger or `@decorator`
    $ pacenote mail inbox --agent human --peek
    #1  new  normal  @backend  mentioned in t-1
    $ pacenote mail inbox --agent backend --peek
    no mail
    $ pacenote mail inbox --agent stranger --peek
    no mail
    $ pacenote task note #1 'Nobody is mentioned.'
    noted on t-1 #1 (in progress @reviewer) Add login
    "#);
    // A retry sends nothing twice, and what is refused sends nothing at all.
    desk.run("task note #1 '@reviewer again' --key k1");
    desk.run("task note #1 '@reviewer again' --key k1");
    desk.run("task note #9 '@reviewer in vain'");
    assert_eq!(desk.run("mail inbox --agent reviewer --peek").stdout.lines().count(), 2);
}
