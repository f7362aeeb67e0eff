import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What there is to act on. */
export interface Things {
  readonly letter: string;
  readonly group: string;
  readonly replay: string;
  /** A folder with `letters.ndjson`, `failures.jsonl`, `policy.yaml` and `dlo.config.yaml`. */
  readonly folder: string;
}

const failure = { class: "TimeoutError", message: "POST /charge timed out after 5 s", code: "ETIMEDOUT" };

export function writeFiles(folder: string): void {
  const letter = (n: number) => ({
    transport: "amqp-0-9-1",
    id: `m-${n}`,
    queue: "orders.dlq",
    headers: {
      "dlo-queue": { t: "S", v: "orders" },
      "dlo-reason": { t: "S", v: "attempts_exhausted" },
      "dlo-error": { t: "S", v: JSON.stringify(failure) },
    },
    body: `{"n":${n}}`,
  });
  const lines = Array.from({ length: 5 }, (_, n) => JSON.stringify(letter(n)));
  writeFileSync(join(folder, "letters.ndjson"), lines.join("\n"));
  writeFileSync(
    join(folder, "failures.jsonl"),
    JSON.stringify({ errorClass: failure.class, message: failure.message }),
  );
  writeFileSync(join(folder, "policy.yaml"), "version: 1\n");
  const source = '{ name: away, broker: rabbitmq, url: "amqp://127.0.0.1:1" }';
  writeFileSync(join(folder, "dlo.config.yaml"), `version: 1\nsources:\n  - ${source}\n`);
}

type Lines = Readonly<Record<string, readonly string[]>>;

/** A line for every command there is, in an order in which most can be done. */
export function everyLine(things: Things): Lines {
  return {
    ...linesOnOffices(things),
    ...linesOnLetters(things),
    ...linesOnWatch(things),
    ...linesOnReplays(things),
    ...linesOnFiles(things),
  };
}

const reason = ["--reason", "to see what it says"];

function configOf({ folder }: Things): readonly string[] {
  return ["--config", join(folder, "dlo.config.yaml")];
}

function linesOnOffices(things: Things): Lines {
  return {
    demo: ["--seed", "-1"],
    "demo runtime": ["--duration", "100ms", "--speed", "100"],
    up: ["--listen", "127.0.0.1:1", ...configOf(things)],
    migrate: ["--dry-run"],
    backup: [join(things.folder, "office.backup")],
    restore: [join(things.folder, "office.backup")],
    login: ["--token", "-", "--server", "http://127.0.0.1:1"],
    logout: ["--server", "http://127.0.0.1:1"],
    whoami: [],
    "auth check": [...configOf(things)],
    topology: ["--focus", "orders"],
    "context list": [],
    "context add": ["other", "--server", "http://127.0.0.1:1"],
    "context use": ["-"],
    "context show": ["--origin"],
    "context current": [],
    "audit list": [],
    "audit export": [],
    "audit verify": [],
    api: ["/letters/count"],
    open: ["--no-browser"],
    cheat: ["paged"],
    "retention show": [],
    "retention apply": [],
  };
}

function linesOnLetters({ letter, group, folder }: Things): Lines {
  return {
    drain: ["nowhere/orders.dlq"],
    inbox: [],
    "groups list": [],
    "groups show": [group],
    "groups common": [group],
    "groups history": [],
    "groups ack": [group],
    "groups snooze": [group, "--for", "1h"],
    "groups wake": [group],
    "groups assign": [group, "--to", "me"],
    "groups introduced-by": [group, "--commit", "3f2a91c"],
    "groups note": [group, "--text", "seen"],
    "groups tag": [group, "--tag", "hold"],
    "groups untag": [group, "--tag", "hold"],
    "groups classify": [group, "--as", "transient", ...reason],
    "groups merge": [group, "--into", group, "--dry-run"],
    "groups split": [group, "--when", "letter.replays > 0", "--dry-run"],
    "groups undo": ["1", ...reason],
    "queues list": [],
    "queues show": ["orders"],
    "queues accept-duplicates": ["memory/orders", "--because", "handled", "--reason", "by id"],
    "queues revoke-duplicates": ["memory/orders"],
    "queues peek": ["away/orders.dlq"],
    "queues pause": ["away/orders.dlq"],
    "queues resume": ["away/orders.dlq"],
    status: [],
    top: [],
    check: ["depth", "--crit", "1000"],
    report: ["--since", "8h"],
    insights: ["--days", "7"],
    edit: [letter, "--set", "/n=7", "--preview"],
    "letters list": ["-q", "queue:orders", "--view", "needs-a-decision"],
    "letters show": [letter],
    "letters body": [letter],
    "letters tag": [letter, "--tag", "hold"],
    "letters untag": [letter, "--tag", "hold"],
    "letters classify": [letter, "--as", "transient", ...reason],
    "letters history": [letter],
    "letters tail": ["--lines", "2"],
    "letters drop": [letter, ...reason],
    "letters reopen": [letter, ...reason],
    "letters compensate": [letter, ...reason],
    "letters give-back": [letter, ...reason],
    "letters escalate": [letter, ...reason],
    "letters import": [join(folder, "letters.ndjson")],
    "letters export": ["-q", "queue:orders"],
    "views list": [],
    "views save": ["orders", "-q", "queue:orders"],
    "views remove": ["orders"],
    "classify matrix": [],
    "deploy record": ["orders@2.15.0", "--queue", "orders"],
    "deploy list": [],
    "fix record": [group, "--called", "orders@2.15.0"],
    "fix retract": ["fix_01JCQ8ZK4M6T8V0X2Z4B6D8F0H"],
    "fix list": [],
    "triage suggest": [],
  };
}

function linesOnWatch({ letter }: Things): Lines {
  return {
    "breakers list": [],
    "breakers show": ["payments"],
    "breakers force-open": ["payments", "--for", "30m", ...reason],
    "breakers release": ["payments"],
    "breakers probe": ["payments"],
    "people list": [],
    "people rename": ["ana", "--to", "ana-2"],
    "people join": ["ana", "--issuer", "https://idp.example", "--subject", "7f31"],
    "keys list": [],
    "keys show": [letter],
    "keys release": [letter, ...reason],
    "alerts list": [],
    "alerts ack": ["alr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H"],
    "alerts set": ["grows", "--when", "growing"],
    "alerts rules": [],
    "alerts mute": ["grows", "--for", "2h"],
    "alerts test": ["grows"],
    "alerts remove": ["grows"],
  };
}

function linesOnReplays({ replay, group }: Things): Lines {
  const items = ["--items", "1"];
  return {
    "replay plan": ["-q", `group:${group}`],
    "replay list": [],
    "approvals list": [],
    "approvals show": [replay],
    "replay show": [replay],
    "replay items": [replay],
    "replay acknowledge": [replay, ...items, ...reason],
    "replay exclude": [replay, ...items, ...reason],
    "replay ask": [replay, ...reason],
    "replay approve": [replay, "--hash", "0123456789ab", ...reason],
    "replay reject": [replay, ...reason],
    "replay revoke": [replay, ...reason],
    "replay break-glass": [replay, ...reason],
    "replay run": [replay],
    "replay watch": [replay],
    "replay pause": ["--all", ...reason],
    "replay changes": [replay],
    "replay drift": [replay],
    "replay history": [replay],
    "replay release": [...reason],
    "replay resume": [replay, ...reason],
    "replay cancel": [replay, ...reason],
    "replay settle": [replay, ...items, "--plan-again", ...reason],
  };
}

function linesOnFiles(things: Things): Lines {
  const config = configOf(things);
  const policy = join(things.folder, "policy.yaml");
  return {
    "classify test": [join(things.folder, "failures.jsonl")],
    "dialect read": [join(things.folder, "letters.ndjson")],
    "policy lint": [policy],
    "policy test": [policy],
    "policy diff": [policy],
    "policy apply": [policy, ...reason],
    "policy history": [],
    "policy list": [],
    "policy show": [],
    rehearse: ["--unheard-of"],
    completion: ["bash"],
    "simulate retry": [],
    "simulate contention": ["--trials", "1", "--clients", "2"],
    "simulate outage": ["--group", things.group],
    "simulate capacity": [],
    doctor: [...config, "--timeout", "1s"],
    "sources list": config,
    "sources add": ["more", "--url", "amqp://127.0.0.1:1", ...config],
    "sources test": [...config, "--timeout", "1s"],
    "sources remove": ["nowhere"],
    "sources discover": [...config, "--timeout", "1s"],
  };
}
