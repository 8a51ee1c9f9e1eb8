use super::*;
use crate::skill::{Place, read};
use proptest::prelude::*;

fn reference(raw: &str) -> Reference {
    Reference::parse(raw).unwrap()
}

fn known() -> Known {
    let skills = [
        "doctor",
        "brainstorming",
        "writing-plans",
        "using-git-worktrees",
        "executing-plans",
        "acme:deploy",
        "acme:roll-back",
        "review",
        "review/security",
    ];
    Known::of(&skills.map(reference))
}

fn told(body: &str) -> String {
    let lines = links(body, &known()).into_iter().map(|Link { target, kind, line }| {
        format!("{} {} {target}", line.unwrap_or_default(), kind.verb())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns what is found in each of the texts, on one line each.
fn table(bodies: &[&str]) -> String {
    let lines = bodies.iter().map(|body| {
        let found = told(body).replace('\n', "; ");
        format!("{} | {}", body.replace('\n', "⏎"), if found.is_empty() { "–" } else { &found })
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn leaders_announce_names() {
    insta::assert_snapshot!(table(&[
        "**REQUIRED SUB-SKILL:** Use superpowers:writing-plans to go on.",
        "> **For agents:** REQUIRED SUB-SKILL: Use other:executing-plans, task by task.",
        "REQUIRED SUB-SKILL: New session uses other:executing-plans",
        "**REQUIRED BACKGROUND:** You MUST understand superpowers:test-driven-development first.",
        "## Required skills\n- doctor\n- problem-solving",
        "## Next skill\n- absent-one",
        "REQUIRED: Use writing-plans (if there is a spec) or executing-plans",
        "**Calls:** using-git-worktrees, writing-plans",
        "Calls: using-git-worktrees (in a new directory), doctor and not-there",
        "Next skill: brainstorming",
        "The next skill is `writing-plans`.",
        "**Next skill:** absent-one",
        "Use the doctor skill first.",
        "invoke the **Writing Plans** skill",
        "Load the `unheard-of` skill",
        "Then use acme:deploy and see other:thing skill",
        "Calls: writing-plans. Use executing-plans to go on",
        "Skill(skill: \"acme:deploy\")",
        "`Skill(\"far:away\")` and `Skill(skill=\"simple\", args=\"x\")`",
        "Run `pacenote skill show writing-plans --section Use` now",
        "see [the plan](../writing-plans/SKILL.md)",
    ]), @r#"
    **REQUIRED SUB-SKILL:** Use superpowers:writing-plans to go on. | 1 requires superpowers:writing-plans
    > **For agents:** REQUIRED SUB-SKILL: Use other:executing-plans, task by task. | 1 requires other:executing-plans
    REQUIRED SUB-SKILL: New session uses other:executing-plans | 1 requires other:executing-plans
    **REQUIRED BACKGROUND:** You MUST understand superpowers:test-driven-development first. | 1 builds on superpowers:test-driven-development
    ## Required skills⏎- doctor⏎- problem-solving | 2 requires doctor
    ## Next skill⏎- absent-one | 2 precedes absent-one
    REQUIRED: Use writing-plans (if there is a spec) or executing-plans | 1 requires writing-plans; 1 requires executing-plans
    **Calls:** using-git-worktrees, writing-plans | 1 calls using-git-worktrees; 1 calls writing-plans
    Calls: using-git-worktrees (in a new directory), doctor and not-there | 1 calls using-git-worktrees; 1 calls doctor; 1 calls not-there
    Next skill: brainstorming | 1 precedes brainstorming
    The next skill is `writing-plans`. | 1 precedes writing-plans
    **Next skill:** absent-one | 1 precedes absent-one
    Use the doctor skill first. | 1 uses doctor
    invoke the **Writing Plans** skill | 1 uses Writing Plans
    Load the `unheard-of` skill | 1 uses unheard-of
    Then use acme:deploy and see other:thing skill | 1 uses acme:deploy; 1 uses other:thing
    Calls: writing-plans. Use executing-plans to go on | 1 calls writing-plans
    Skill(skill: "acme:deploy") | 1 opens acme:deploy
    `Skill("far:away")` and `Skill(skill="simple", args="x")` | 1 opens far:away; 1 opens simple
    Run `pacenote skill show writing-plans --section Use` now | 1 opens writing-plans
    see [the plan](../writing-plans/SKILL.md) | 1 mentions writing-plans
    "#);
}

#[test]
fn marks_make_a_known_name_a_link() {
    insta::assert_snapshot!(table(&[
        "Go on with **writing-plans**: it helps",
        "`/executing-plans` follows",
        "Use `doctor` when it hurts",
        "`doctor` is one of our skills",
        "brainstorming → `brainstorming`",
        "Ask `acme:deploy`, then /acme:roll-back.",
        "`review/security` is an agent",
        "acme:removed is gone",
        "| Skill | Use |\n|-|-|\n| `doctor` | pain |\n\n`doctor` here is none",
        "## Related skills\n- **review**\n## Options\n- `doctor`",
        "Calls: writing-plans<acme:deploy>",
        "Calls: writing-plans**acme:deploy** and acme:roll-back<br>doctor",
        "Calls: writing-plans[acme:deploy](x)and",
        "**Calls:**writing-plans",
        "`writing-plans` and use the **Writing Plans** skill",
    ]), @"
    Go on with **writing-plans**: it helps | 1 mentions writing-plans
    `/executing-plans` follows | 1 mentions executing-plans
    Use `doctor` when it hurts | 1 uses doctor
    `doctor` is one of our skills | 1 mentions doctor
    brainstorming → `brainstorming` | 1 uses brainstorming
    Ask `acme:deploy`, then /acme:roll-back. | 1 mentions acme:deploy; 1 mentions acme:roll-back
    `review/security` is an agent | 1 mentions review/security
    acme:removed is gone | 1 mentions acme:removed
    | Skill | Use |⏎|-|-|⏎| `doctor` | pain |⏎⏎`doctor` here is none | 3 mentions doctor
    ## Related skills⏎- **review**⏎## Options⏎- `doctor` | 2 mentions review
    Calls: writing-plans<acme:deploy> | 1 calls writing-plans; 1 calls acme:deploy
    Calls: writing-plans**acme:deploy** and acme:roll-back<br>doctor | 1 calls writing-plans; 1 calls acme:deploy; 1 calls acme:roll-back
    Calls: writing-plans[acme:deploy](x)and | 1 calls writing-plans; 1 calls acme:deploy
    **Calls:**writing-plans | 1 calls writing-plans
    `writing-plans` and use the **Writing Plans** skill | 1 uses Writing Plans
    ");
}

#[test]
fn what_only_looks_like_a_name_is_none() {
    for body in [
        "The doctor said: writing-plans are a matter of brainstorming and review.",
        "`doctor` prints a table",
        "**Doctor** and **Brainstorming** are headings",
        "Never use the doctor skill",
        "https://acme:deploy@example.com/acme:deploy?x=acme:deploy#acme:deploy",
        "`use acme::deploy;` and `std::fs`, `std:fs`, `npm:package`, `localhost:8080`, at 10:30",
        ":doctor: :writing-plans: --writing-plans $writing-plans ./writing-plans",
        "superpowers:<name>, acme:deploy-<place>, acme:{name}, acme:",
        "one:acme:deploy, acme:deploy:two",
        "`key:value` pairs in `mode:headless`",
        "Skill(), Skill(skill: \"...\"), Skill(skill: \"ln-{worker}\"), Skill(<name>), MySkill(\"a-b\")",
        "Target Skill(s)",
        "`{\"skill\": \"Python\"}`",
        "Use the appropriate skill, the same skill, the well-known skill",
        "Required skills: problem-solving, `SQL`",
        "Required background knowledge: some-thing",
        "External Calls: `low-level`, read-only",
        "Calls: the low-level interface, `parse`",
        "pacenote skill show <name>",
        "```\nwriting-plans other:thing acme:removed `doctor` key: writing-plans\n```",
        "<!-- REQUIRED SUB-SKILL: Use superpowers:writing-plans -->",
        "**Called by:** **writing-plans** and superpowers:brainstorming",
        "**Called by:**\n- **writing-plans** (first)\n- superpowers:brainstorming\n",
        "### Called by\n\n- **writing-plans** (first)\n- `superpowers:brainstorming`",
        "Required by: **writing-plans**",
        "[a](https://example.com/writing-plans/SKILL.md) [b](../unheard/SKILL.md)",
    ] {
        assert_eq!(told(body), "", "{body}");
    }
}

#[test]
fn a_list_belongs_to_the_leader_before_it() {
    let body = "\
**Required workflow skills:**
- **superpowers:using-git-worktrees** - REQUIRED: set up
- **writing-plans**, then more
  - other:thing is only mentioned

**Called by:**
- **executing-plans**

**REQUIRED SUB-SKILLS:**

1. absent-one
2. `doctor`

Afterwards nothing
- **executing-plans** is on its own
";
    insta::assert_snapshot!(told(body), @"
    2 requires superpowers:using-git-worktrees
    3 requires writing-plans
    11 requires absent-one
    12 requires doctor
    15 mentions executing-plans
    ");
}

#[test]
fn code_counts_for_explicit_forms_only() {
    let body = "\
# Flow

```dot
digraph {
    \"Done?\" -> \"Use superpowers:writing-plans\" [shape=box];
    \"Plan?\" -> \"Invoke executing-plans skill\";
}
```

```text
brainstorming
  - Calls: using-git-worktrees, whatever-else
```

    Skill(
      skill: \"acme:deploy\"
    )

<HARD-GATE>
REQUIRED SUB-SKILL: Use other:thing
</HARD-GATE>
";
    insta::assert_snapshot!(told(body), @"
    5 uses superpowers:writing-plans
    6 uses executing-plans
    12 calls using-git-worktrees
    16 opens acme:deploy
    20 requires other:thing
    ");
}

#[test]
fn a_name_stands_once_with_its_firmest_kind() {
    let body = "`writing-plans`\n\nuse the writing-plans skill\n\nREQUIRED SUB-SKILL: Use writing-plans\n\n`writing-plans`";
    assert_eq!(told(body), "5 requires writing-plans");
}

/// Returns the graph of skills, each given by its name and the text of its file.
fn graph(skills: &[(&str, &str)]) -> Graph {
    let names: Vec<_> = skills.iter().map(|(name, _)| reference(name)).collect();
    let known = Known::of(&names);
    let linked = skills.iter().map(|(name, text)| {
        let place = Place { directory: "place", file: "SKILL.md" };
        let (skill, _) = read(text.as_bytes(), &place);
        (reference(name), links_of(&skill, &known))
    });
    Graph::of(linked)
}

fn example() -> Graph {
    graph(&[
        ("brainstorming", "Next skill: superpowers:writing-plans, not-there"),
        ("writing-plans", "Use the executing-plans skill. `writing-plans` is this one."),
        (
            "executing-plans",
            "---\nskills: [finishing, 'acme:gone']\n---\nSee `brainstorming` skills.",
        ),
        ("finishing", "The end."),
        ("alone", ""),
    ])
}

#[test]
fn a_graph_is_told_to_people() {
    insta::assert_snapshot!(example().text(), @"
    brainstorming
      precedes writing-plans (line 1), in place of superpowers:writing-plans
      precedes not-there (line 1), which is missing
    executing-plans
      uses brainstorming (line 4)
      lists finishing
      lists acme:gone, which is missing
    writing-plans
      uses executing-plans (line 1)
    cycles
      brainstorming → writing-plans → executing-plans → brainstorming
    5 skills, 4 links, 1 cycle, 2 missing, 1 alone
    ");
}

#[test]
fn a_graph_is_told_in_dot() {
    insta::assert_snapshot!(example().dot(), @r#"
    digraph skills {
      rankdir=LR;
      node [shape=box];
      "brainstorming";
      "executing-plans";
      "finishing";
      "writing-plans";
      "acme:gone" [label="acme:gone (missing)", style=dashed, color=red];
      "not-there" [label="not-there (missing)", style=dashed, color=red];
      "brainstorming" -> "writing-plans" [label="precedes, in place of superpowers:writing-plans", color=red];
      "executing-plans" -> "brainstorming" [label="uses", color=red];
      "executing-plans" -> "finishing" [label="lists"];
      "writing-plans" -> "executing-plans" [label="uses", color=red];
      "brainstorming" -> "not-there" [label="precedes", style=dashed, color=red];
      "executing-plans" -> "acme:gone" [label="lists", style=dashed, color=red];
    }
    "#);
}

#[test]
fn a_graph_is_told_in_mermaid() {
    insta::assert_snapshot!(example().mermaid(), @r#"
    graph LR
      s1["brainstorming"]
      s2["executing-plans"]
      s3["finishing"]
      s4["writing-plans"]
      m0["acme:gone (missing)"]:::missing
      m1["not-there (missing)"]:::missing
      s1 -->|"precedes, in place of superpowers:writing-plans"| s4
      s2 -->|"uses"| s1
      s2 -->|"lists"| s3
      s4 -->|"uses"| s2
      s1 -.->|"precedes"| m1
      s2 -.->|"lists"| m0
      classDef missing stroke:#c00,stroke-dasharray:4
      linkStyle 0,1,3 stroke:#c00
    "#);
}

#[test]
fn a_graph_is_told_in_json() {
    let part = example().reachable(&[reference("superpowers:finishing"), reference("executing")]);
    insta::assert_snapshot!(serde_json::to_string(&part.graph).unwrap(), @r#"{"skills":["finishing"],"links":[],"missing":[],"cycles":[]}"#);
    assert_eq!(part.unknown, [reference("executing")]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&example()).unwrap(), @r#"
    {
      "skills": [
        "alone",
        "brainstorming",
        "executing-plans",
        "finishing",
        "writing-plans"
      ],
      "links": [
        {
          "from": "brainstorming",
          "to": "writing-plans",
          "kind": "precedes",
          "line": 1,
          "named": "superpowers:writing-plans",
          "route": "stand_in"
        },
        {
          "from": "executing-plans",
          "to": "brainstorming",
          "kind": "uses",
          "line": 4,
          "named": "brainstorming",
          "route": "exact"
        },
        {
          "from": "executing-plans",
          "to": "finishing",
          "kind": "lists",
          "line": null,
          "named": "finishing",
          "route": "exact"
        },
        {
          "from": "writing-plans",
          "to": "executing-plans",
          "kind": "uses",
          "line": 1,
          "named": "executing-plans",
          "route": "exact"
        }
      ],
      "missing": [
        {
          "from": "brainstorming",
          "named": "not-there",
          "kind": "precedes",
          "line": 1
        },
        {
          "from": "executing-plans",
          "named": "acme:gone",
          "kind": "lists",
          "line": null
        }
      ],
      "cycles": [
        {
          "members": [
            "brainstorming",
            "executing-plans",
            "writing-plans"
          ],
          "path": [
            "brainstorming",
            "writing-plans",
            "executing-plans",
            "brainstorming"
          ]
        }
      ]
    }
    "#);
}

#[test]
fn a_name_is_understood_where_it_stands() {
    let told = |skills: &[(&str, &str)]| {
        let graph = graph(skills);
        let route = |edge: &Edge| {
            format!("{} -> {} ({:?})", graph.name(edge.from), graph.name(edge.to), edge.route)
        };
        graph.edges().iter().map(route).collect::<Vec<_>>().join("\n")
    };
    // A plugin's own skill comes before a plain one of the same name.
    assert_eq!(
        told(&[("acme:a-a", "`b-b`"), ("b-b", ""), ("acme:b-b", "")]),
        "acme:a-a -> acme:b-b (Beside)"
    );
    assert_eq!(told(&[("a-a", "`b-b`"), ("b-b", ""), ("acme:b-b", "")]), "a-a -> b-b (Exact)");
    assert_eq!(told(&[("a-a", "`b-b`"), ("acme:b-b", "")]), "a-a -> acme:b-b (Plugin)");
    assert_eq!(
        told(&[("review", "its skill `security`"), ("review/security", ""), ("security", "")]),
        "review -> review/security (Beside)"
    );
    // Ours stands in only where the plugin is not installed at all.
    assert_eq!(told(&[("a-a", "superpowers:b-b"), ("b-b", "")]), "a-a -> b-b (StandIn)");
    assert_eq!(
        told(&[("a-a", "superpowers:b-b"), ("b-b", ""), ("superpowers:b-b", "")]),
        "a-a -> superpowers:b-b (Exact)"
    );
    assert_eq!(told(&[("a-a", "superpowers:b-b"), ("b-b", ""), ("superpowers:c", "")]), "");
    assert_eq!(told(&[("a-a", "Skill(\"acme:b-b\")"), ("b-b", "")]), "");
}

#[test]
fn names_stay_labels_in_every_language() {
    let hostile = graph(&[
        ("end", "Skill(\"click\") Skill(\"x\\\"]; evil\") `subgraph` skill"),
        ("subgraph", "Skill(\"a&quot;b\") Skill(\"q#quot;w\") Skill(\"<script>\")"),
    ]);
    insta::assert_snapshot!(hostile.dot(), @r#"
    digraph skills {
      rankdir=LR;
      node [shape=box];
      "end";
      "subgraph";
      "a" [label="a (missing)", style=dashed, color=red];
      "click" [label="click (missing)", style=dashed, color=red];
      "q-quot-w" [label="q-quot-w (missing)", style=dashed, color=red];
      "x" [label="x (missing)", style=dashed, color=red];
      "end" -> "subgraph" [label="mentions", style=dotted];
      "end" -> "click" [label="opens", style=dashed, color=red];
      "end" -> "x" [label="opens", style=dashed, color=red];
      "subgraph" -> "a" [label="opens", style=dashed, color=red];
      "subgraph" -> "q-quot-w" [label="opens", style=dashed, color=red];
    }
    "#);
    insta::assert_snapshot!(hostile.mermaid(), @r#"
    graph LR
      s0["end"]
      s1["subgraph"]
      m0["a (missing)"]:::missing
      m1["click (missing)"]:::missing
      m2["q-quot-w (missing)"]:::missing
      m3["x (missing)"]:::missing
      s0 -.->|"mentions"| s1
      s0 -.->|"opens"| m1
      s0 -.->|"opens"| m3
      s1 -.->|"opens"| m0
      s1 -.->|"opens"| m2
      classDef missing stroke:#c00,stroke-dasharray:4
    "#);
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let names: Vec<_> = (0..10_000).map(|n| reference(&format!("skill-{n:05}"))).collect();
    let next = |n: usize| names[(n + 1) % names.len()].clone();
    let skills = names.iter().enumerate().map(|(n, name)| {
        (name.clone(), vec![Link { target: next(n), kind: Kind::Calls, line: Some(1) }])
    });
    let graph = Graph::of(skills);
    assert_eq!(graph.cycles().len(), 1);
    assert_eq!(graph.cycles()[0].path.len(), 10_001);
}

#[test]
fn a_body_of_names_is_cut() {
    let calls: Vec<_> = (0..LINKS + 10).map(|n| format!("Skill(\"name-{n}\")")).collect();
    assert_eq!(links(&calls.join("\n"), &Known::default()).len(), LINKS);
}

fn any_links() -> impl Strategy<Value = Vec<(Reference, Vec<Link>)>> {
    let kinds = [Kind::Requires, Kind::Calls, Kind::Mentions];
    let link = (0..12_usize, prop::sample::select(kinds.to_vec()), 1..4_usize).prop_map(
        |(target, kind, line)| Link {
            target: reference(&format!("skill-{target}")),
            kind,
            line: Some(line),
        },
    );
    prop::collection::vec(prop::collection::vec(link, 0..4), 0..9).prop_map(|skills| {
        let named = |(n, links)| (reference(&format!("skill-{n}")), links);
        skills.into_iter().enumerate().map(named).collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_the_skills_changes_nothing(
        (one, other) in any_links()
            .prop_flat_map(|skills| (Just(skills.clone()), Just(skills).prop_shuffle()))
    ) {
        prop_assert_eq!(Graph::of(one), Graph::of(other));
    }

    #[test]
    fn skills_share_a_cycle_exactly_when_each_leads_to_the_other(skills in any_links()) {
        let graph = Graph::of(skills);
        let leads: Vec<Vec<bool>> = (0..graph.skills().len())
            .map(|from| {
                let part = graph.reachable(&graph.skills()[from..=from]).graph;
                graph.skills().iter().map(|to| part.skills().contains(to)).collect()
            })
            .collect();
        let of_each = graph.cycle_of_each();
        for one in 0..leads.len() {
            for other in (0..leads.len()).filter(|other| *other != one) {
                let both = leads[one][other] && leads[other][one];
                let shared = of_each[one].is_some() && of_each[one] == of_each[other];
                prop_assert_eq!(both, shared);
            }
        }
        for cycle in graph.cycles() {
            prop_assert_eq!(cycle.path.first(), cycle.path.last());
            for step in cycle.path.windows(2) {
                let is_edge = |edge: &Edge| (edge.from, edge.to) == (step[0], step[1]);
                prop_assert!(graph.edges().iter().any(is_edge));
            }
        }
    }

    #[test]
    fn no_body_is_too_odd(
        body in "([#>*`|:()\\[\\]{}<>\"'-]{1,3}|<br>|\\]\\(|Skill\\(|skill|Calls:|REQUIRED SUB-SKILL:|Called by:|Next skill:|acme:deploy|superpowers:|writing-plans|doctor|é| |\r?\n){0,60}"
    ) {
        let lines = body.lines().count();
        for link in links(&body, &known()) {
            let line = link.line.unwrap();
            prop_assert!((1..=lines.max(1)).contains(&line));
            // Code over several lines is told by any of them; no empty one is among these.
            let text = body.lines().skip(line - 1).take_while(|line| !line.trim().is_empty());
            let text: Vec<_> = text.collect();
            let text = text.join(" ").to_lowercase();
            let name = link.target.to_string().to_lowercase();
            let mut words = name.split(|c: char| !c.is_alphanumeric());
            prop_assert!(words.all(|word| text.contains(word)), "{} {}", text, name);
        }
    }
}
