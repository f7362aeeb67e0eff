import type { OutputOf } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";

/** What an edit changes, as operations give it. */
export type ShownChanges = OutputOf<"edits.preview">;

const tones = { "-": "red", "+": "green" } as const;

/** By place, then by line; what cannot be told by place is told by line alone. */
export function drawChanges(shown: ShownChanges, { terminal: { paint } }: Context): string {
  const { changes, lines, moreChanges, moreLines, headers, findings } = shown;
  const places = (changes ?? []).map(
    ({ path, before, after }) => `  ${visible(path) || "/"}: ${shownValue(before)} → ${shownValue(after)}`,
  );
  const text = (lines ?? []).map(({ sign, text: line }) => {
    const drawn = `  ${sign} ${visible(line)}`;
    return sign === " " ? drawn : paint(tones[sign], drawn);
  });
  const named = headers.map(
    ({ name, before, after }) => `  header ${visible(name)}: ${shownValue(before)} → ${shownValue(after)}`,
  );
  return [
    ...named,
    ...places,
    ...more(moreChanges, "places"),
    ...(places.length > 0 && text.length > 0 ? [""] : []),
    ...(lines === null ? ["  Not text: all of it is replaced."] : text),
    ...more(moreLines, "lines"),
    ...findings.map((finding) => paint("yellow", `  ${finding}`)),
  ].join("\n");
}

function more(n: number, noun: string): readonly string[] {
  return n === 0 ? [] : [`  … ${showNumber(n)} more ${noun}`];
}

function shownValue(text: string | null): string {
  return text === null ? "nothing" : visible(text).slice(0, 200);
}
