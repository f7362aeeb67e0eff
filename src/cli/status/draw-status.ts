import type { Context } from "../command.ts";
import { outcomes, stateOf } from "../replay/show-replay.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { columnsOf, table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import type { WholeStatus } from "./whole-status.ts";

export function drawStatus(status: WholeStatus, { terminal, when: since }: Pick<Context, "terminal" | "when">): string {
  const sections = [
    facts(status, since, terminal),
    section("Drained", drainLines(status, since, terminal), terminal),
    section("Troubled", troubles(status), terminal),
    section("Breakers that are not closed", breakerLines(status, since), terminal),
    section("Replays", replayLines(status), terminal),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

type Since = ShowMoment;

function facts({ place, office, open, oldestOpenAt, thisHour }: WholeStatus, since: Since, terminal: Terminal) {
  const { stopped, processes, version } = office;
  const duties = [...new Set(processes.flatMap((each) => each.duties))].join(", ");
  const sending =
    stopped === null
      ? "allowed"
      : terminal.paint("red", `stopped by ${visible(stopped.by)} for ${since(stopped.at)}: dlo replay release`);
  const pairs: readonly (readonly [string, string])[] = [
    ["office", `${version} at ${visible(place)}`],
    ["processes", processes.length === 0 ? "none runs" : `${showNumber(processes.length)} (${duties})`],
    ["letters", `${showNumber(open)} open, ${showNumber(thisHour)} came this hour`],
    ["oldest", oldestOpenAt === null ? "none" : since(oldestOpenAt)],
    ["sending", sending],
  ];
  return pairs.map(([name, text]) => `${terminal.paint("bold", name.padEnd(11))}${text}`);
}

function section(title: string, lines: readonly string[], { paint }: Terminal): readonly string[] {
  return lines.length === 0 ? [] : [paint("bold", title), ...lines.map((line) => `  ${line}`)];
}

function drainLines({ office: { drains } }: WholeStatus, since: Since, terminal: Terminal): readonly string[] {
  const rows = drains.map(({ source, queue, state, since: at, held }) => [
    ...[visible(`${source}/${queue}`), state, since(at), showNumber(held)],
  ]);
  const titles = ["QUEUE", "STATE", "SINCE", "TAKEN"];
  return rows.length === 0 ? [] : table(columnsOf(titles, ["SINCE", "TAKEN"]), rows, terminal).split("\n");
}

function troubles({ office: { drains, reports, notifiers, replays } }: WholeStatus): readonly string[] {
  const named = [
    ...drains.map(({ source, queue, trouble }) => [`${source}/${queue}`, trouble] as const),
    ...reports.map(({ source, trouble }) => [`reports of ${source}`, trouble] as const),
    ...notifiers.map(({ name, trouble }) => [`notifier ${name}`, trouble] as const),
    ...replays.map(({ replay, trouble }) => [replay, trouble] as const),
  ];
  return named.flatMap(([name, trouble]) => (trouble === null ? [] : [visible(`${name}: ${trouble}`)]));
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
