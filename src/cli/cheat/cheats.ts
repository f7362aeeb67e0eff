import type { Example } from "../command.ts";

interface Topic {
  readonly about: string;
  readonly lines: readonly Example[];
}

const [letter, group, replay] = [
  "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H",
  "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H",
  "rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H",
];

/** Lines for the moments in which nobody wants to read help. A test has the command line understand each of them. */
export const cheats: Readonly<Record<string, Topic>> = {
  paged: {
    about: "something woke you up",
    lines: [
      { line: "dlo status", about: "is the office itself well, what runs, which breakers are open" },
      { line: "dlo inbox", about: "what needs a decision, in order" },
      { line: `dlo groups show ${group}`, about: "what failed, in words for the incident's channel" },
      { line: "dlo replay pause --all --reason 'looking into it'", about: "stops all sending until it is released" },
      { line: "dlo letters tail -f", about: "what comes, as it comes" },
      { line: "dlo report --since 8h", about: "what happened during your shift" },
    ],
  },
  look: {
    about: "find letters and understand them",
    lines: [
      { line: "dlo letters -q 'queue:orders age:>1h error:\"timed out\"'", about: "by anything you know of them" },
      { line: "dlo letters -q 'key:o-1001'", about: "the letter of one order" },
      { line: `dlo letters show ${letter}`, about: "error, why it is taken for that, headers, body" },
      { line: `dlo letters history ${letter}`, about: "what happened to it so far" },
      { line: "dlo letters -q 'was:transient outcome:schema_mismatch'", about: "replayed, and failed otherwise" },
    ],
  },
  replay: {
    about: "send letters back",
    lines: [
      { line: `dlo replay plan -q group:${group}`, about: "what would go and what not, and why; sends nothing" },
      { line: `dlo replay items ${replay} --decision skip`, about: "what does not go" },
      { line: `dlo replay ask ${replay} --reason 'payments is back'`, about: "asks for the approvals it needs" },
      { line: "dlo approvals", about: "plans that wait for a yes" },
      { line: `dlo replay run ${replay}`, about: "sends, step by step" },
      { line: `dlo replay watch ${replay}`, about: "looks on; Ctrl-C leaves it running" },
      { line: `dlo replay items ${replay} --state returned`, about: "what came back" },
    ],
  },
  decide: {
    about: "letters that do not go back",
    lines: [
      { line: `dlo letters drop ${letter} --reason 'order was cancelled'`, about: "leaves it be; the ledger keeps it" },
      { line: `dlo letters escalate ${letter} --reason 'accounting decides'`, about: "somebody else's" },
      { line: `dlo letters reopen ${letter} --reason 'not so'`, about: "takes that back" },
      { line: `dlo fix record ${group} --called orders@2.15.0`, about: "what broke them is mended" },
      { line: `dlo edit ${letter} --set /currency=EUR --preview`, about: "what an edit would change" },
    ],
  },
  scripts: {
    about: "for monitors and pipelines",
    lines: [
      { line: "dlo check depth --warn 100 --crit 1000 --format nagios", about: "exit code 0, 1, 2 or 3" },
      { line: "dlo check returns --crit 1", about: "fails when anything came back" },
      { line: "dlo letters list -q 'queue:orders' --json", about: "one document: { items, next }" },
      { line: "dlo letters export -q 'queue:orders'", about: "lines of JSON, masked" },
      { line: "dlo api '/letters/count?q=queue:orders'", about: "any operation as it is" },
      { line: "dlo audit verify --anchor audit.anchor", about: "proves that the log is whole" },
    ],
  },
};
