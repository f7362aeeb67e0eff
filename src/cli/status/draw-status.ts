import { showCount } from "../../domain/show-count.ts";
import type { Context } from "../command.ts";
import { retentionLine } from "../ledger/retention.ts";
import { outcomes, stateOf } from "../replay/show-replay.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { columnsOf, table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import type { WholeStatus } from "./whole-status.ts";

export function drawStatus(status: WholeStatus, drawing: Drawing): string {
  const { terminal, when: since } = drawing;
  const sections = [
    facts(status, drawing),
    section("What troubles it", troubles(status, since), terminal),
    section("Processes", processLines(status, since, terminal), terminal),
    section("Drained", drainLines(status, since, terminal), terminal),
    section("Breakers that are not closed", breakerLines(status, since), terminal),
    section("Replays", replayLines(status), terminal),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

type Since = ShowMoment;

type Drawing = Pick<Context, "terminal" | "when" | "clock">;

function facts({ place, office, ledger, open, oldestOpenAt, thisHour }: WholeStatus, drawing: Drawing) {
  const { terminal, when: since } = drawing;
  const { stopped, processes, version } = office;
  const living = processes.filter(({ lives }) => lives);
  const duties = [...new Set(living.flatMap((each) => each.duties))].join(", ");
  const sending =
    stopped === null
      ? "allowed"
      : terminal.paint("red", `stopped by ${visible(stopped.by)} for ${since(stopped.at)}: dlo replay release`);
  const pairs: readonly (readonly [string, string])[] = [
    ["office", `${version} at ${visible(place)}`],
    ["processes", living.length === 0 ? "none runs" : `${showNumber(living.length)} (${duties})`],
    ...(ledger === null ? [] : [["ledger", ledgerLine(ledger)] as const]),
    ...(ledger === null ? [] : [["retention", retentionLine(ledger.retention, drawing)] as const]),
    ["letters", `${showNumber(open)} open, ${showNumber(thisHour)} failed this hour`],
    ["oldest", oldestOpenAt === null ? "none" : since(oldestOpenAt)],
    ["sending", sending],
  ];
  return pairs.map(([name, text]) => `${terminal.paint("bold", name.padEnd(11))}${text}`);
}

function ledgerLine({ bytes, schema, freeBytes, weeks: { n, next } }: NonNullable<WholeStatus["ledger"]>): string {
  const inMb = (size: number) => `${showNumber(Math.ceil(size / 1e6))} MB`;
  const free = freeBytes === null ? "" : `, ${inMb(freeBytes)} free`;
  const goes = next === null ? "" : `, the week of ${next.week} may go from ${next.from.slice(0, 10)} on`;
  return `${inMb(bytes)}${free}, schema ${schema}, letters of ${showCount(n, "week")}${goes}`;
}

function section(title: string, lines: readonly string[], { paint }: Terminal): readonly string[] {
  return lines.length === 0 ? [] : [paint("bold", title), ...lines.map((line) => `  ${line}`)];
}

function processLines({ office: { processes } }: WholeStatus, since: Since, terminal: Terminal): readonly string[] {
  const rows = processes.map(({ lives, duties, version, schema, clockAheadMs, startedAt, heardAt, ...named }) => [
    ...[nameOf(named), lives ? "lives" : "silent", since(lives ? startedAt : (heardAt ?? startedAt)), duties.join(",")],
    ...[visible(version), showNumber(schema), clockAheadMs === null ? "" : (clockAheadMs / 1_000).toFixed(1)],
  ]);
  const titles = ["PROCESS", "STATE", "SINCE", "DOES", "VERSION", "SCHEMA", "CLOCK +S"];
  return linesOf(titles, ["SINCE", "SCHEMA", "CLOCK +S"], rows, terminal);
}

function drainLines({ office }: WholeStatus, since: Since, terminal: Terminal): readonly string[] {
  const by = (process: string | null) => {
    const found = office.processes.find(({ id }) => id === process);
    return found === undefined ? "" : nameOf(found);
  };
  const rows = office.drains.map(({ source, queue, state, since: at, held, process }) => [
    ...[visible(`${source}/${queue}`), state, since(at), showNumber(held), by(process)],
  ]);
  return linesOf(["QUEUE", "STATE", "SINCE", "TAKEN", "BY"], ["SINCE", "TAKEN"], rows, terminal);
}

type Rows = readonly (readonly string[])[];

function linesOf(titles: readonly string[], right: readonly string[], rows: Rows, terminal: Terminal) {
  return rows.length === 0 ? [] : table(columnsOf(titles, right), rows, terminal).split("\n");
}

function nameOf({ host, id }: { readonly host: string; readonly id: string }): string {
  return host === "" ? id.slice(0, 13) : visible(host);
}

function troubles({ office, ledger }: WholeStatus, since: Since): readonly string[] {
  const all = [...office.troubles, ...(ledger?.troubles ?? []).map((each) => ({ ...each, since: null }))];
  return all.flatMap(({ sentence, change, since: at }) => [
    `${visible(sentence)}${at === null ? "" : ` (for ${since(at)})`}`,
    `  ${visible(change)}`,
  ]);
}

function breakerLines({ breakers }: WholeStatus, since: Since): readonly string[] {
  const open = (breakers ?? []).filter(({ state }) => state !== "closed");
  return open.map(({ name, state, source, queue, since: at }) =>
    visible(`${name} ${state} for ${since(at)}, ${source}/${queue}`),
  );
}

function replayLines({ replays }: WholeStatus): readonly string[] {
  return replays.map((replay) => `${replay.id}  ${stateOf(replay)}  ${visible(replay.name)}: ${outcomes(replay)}`);
}
