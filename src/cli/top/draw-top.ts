import { stripVTControlCharacters } from "node:util";
import { showAge } from "../../domain/duration.ts";
import { showCount } from "../../domain/show-count.ts";
import { sparkline } from "../ledger/sparkline.ts";
import { outcomes, stateOf } from "../replay/show-replay.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { padRight, shortened, shownWidth, visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import type { Look } from "./look.ts";

export interface TopFrame {
  readonly look: Look;
  /** The id of the group that is chosen; null before any is. */
  readonly chosen: string | null;
  /** What is told of the chosen one, in its place; null while the list is shown. */
  readonly detail: readonly string[] | null;
  /** What went wrong when it was looked last; what is shown is then of before. */
  readonly trouble: string | null;
}

export interface TopSize {
  readonly columns: number;
  readonly rows: number;
}

/** As many lines as the window has, each as wide as it is. */
export function drawTop(frame: TopFrame, { columns, rows }: TopSize, terminal: Terminal): readonly string[] {
  const sized = { ...terminal, columns, interactive: true };
  const head = [...vitals(frame, sized), ...replayLines(frame.look, sized), ""];
  const foot = footer(frame, sized);
  const room = Math.max(2, rows - head.length - foot.length);
  const body = frame.detail?.map((line) => `  ${visible(line)}`) ?? groupLines(frame, sized, room);
  const lines = [...head, ...body.slice(0, room)];
  const empty = Array.from({ length: Math.max(0, rows - lines.length - foot.length) }, () => "");
  return [...lines, ...empty, ...foot].slice(0, rows).map((line) => fitted(line, columns));
}

function vitals({ look }: TopFrame, { paint }: Terminal): readonly string[] {
  const { stopped, open, oldestOpenAt: oldest, thisHour, openGroups, at } = look;
  const age = oldest === null ? "–" : showAge(Math.max(0, Date.parse(at) - Date.parse(oldest)));
  return [
    [
      `${paint("bold", "open")} ${showNumber(open)} in ${showCount(openGroups, "group")}`,
      `${paint("bold", "oldest")} ${age}`,
      `${paint("bold", "this hour")} ${showNumber(thisHour)}`,
      `${paint("bold", "breakers")} ${breakersInWords(look)}`,
    ].join("   "),
    ...(stopped === null ? [] : [paint("red", `All sending is stopped by ${visible(stopped.by)}: dlo replay release`)]),
  ];
}

function breakersInWords({ breakers }: Look): string {
  if (breakers === null) return "unknown";
  return breakers.length === 0 ? "none open" : `${breakers.map(visible).join(", ")} open`;
}

function replayLines({ replays }: Look, { paint }: Terminal): readonly string[] {
  return replays.map((replay) => `${paint("bold", stateOf(replay))}  ${visible(replay.name)}: ${outcomes(replay)}`);
}

const columnsOfTop = ["", "WHY", "OPEN", "24H", "OLDEST", "QUEUE", "NEXT STEP", "WHAT"].map((title) => ({
  ...{ title, optional: ["WHY", "24H", "OLDEST", "QUEUE"].includes(title) },
  align: title === "OPEN" || title === "OLDEST" ? ("right" as const) : ("left" as const),
}));

/** The chosen one is always in sight. */
function groupLines({ look: { groups, at }, chosen }: TopFrame, terminal: Terminal, room: number): readonly string[] {
  if (groups.length === 0) return ["Nothing needs a decision."];
  const place = Math.max(
    0,
    groups.findIndex(({ id }) => id === chosen),
  );
  const first = Math.max(0, Math.min(place - Math.floor(room / 2), groups.length - (room - 1)));
  const rows = groups
    .slice(first, first + room - 1)
    .map((group) => [
      ...[group.id === chosen ? ">" : " ", group.why, showNumber(group.open), sparkline(group.hours, terminal)],
      group.oldestOpenAt === null ? "" : showAge(Math.max(0, Date.parse(at) - Date.parse(group.oldestOpenAt))),
      ...[shortened(visible(group.queue), 24), group.nextStep.label, visible(group.title)],
    ]);
  return table(columnsOfTop, rows, terminal).split("\n");
}

function footer({ look: { place, at }, detail, trouble }: TopFrame, { paint }: Terminal): readonly string[] {
  const keys = detail === null ? "j k choose · Enter look · r plan · q quit" : "Esc back · r plan · q quit";
  const said = trouble === null ? "" : paint("red", `${visible(trouble)} Shown is what was known then. `);
  return ["", `${said}${paint("dim", `${keys}   ${visible(place)} · ${at.slice(11, 19)} UTC`)}`];
}

/** What is too wide loses its end; what carries colours is cut without them. */
function fitted(line: string, columns: number): string {
  if (shownWidth(line) <= columns) return padRight(line, columns);
  return [...stripVTControlCharacters(line)].slice(0, columns).join("");
}
