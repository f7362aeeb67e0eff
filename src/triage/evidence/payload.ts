import type { Finding } from "../finding.ts";
import { quote } from "../sentences.ts";
import type { Line, Reading } from "./reading.ts";

/** The field an error of "it was not there" was after: `reading 'street'`, `KeyError: 'id'`, `undefined method 'x'`. */
const wanted = [
  /\(reading ['"`](\w+)['"`]\)/,
  /Cannot read property ['"`](\w+)['"`] of/,
  /^['"](\w+)['"]$/,
  /key not found: [:"']?(\w+)/,
  /Undefined (?:array key|index):? ["']?(\w+)/,
];

/**
 * A null dereference is a bug, unless the payload visibly lacks the field that was wanted: then the payload is at fault.
 */
export function payloadOf({ evidence, frames }: Reading, told: readonly Finding[]): Finding[] {
  const { payloadExcerpt, message } = evidence;
  if (payloadExcerpt === null || message === null || !told.some(isAboutAbsence)) return [];
  const field = wanted.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  if (field === undefined || !isWholeObject(payloadExcerpt)) return [];
  if (payloadExcerpt.includes(`"${field}"`) || comesFromElsewhere(frames, field)) return [];
  const why = () => `The code wanted "${field}", and the payload ${quote(payloadExcerpt, 60)} has no such field.`;
  return [
    { source: "payload", category: "schema_mismatch", weight: 0.97, rule: "payload/lacks-field", why, effect: "none" },
  ];
}

function isAboutAbsence({ rule }: Finding): boolean {
  return /null-dereference|KeyError|out-of-bounds|TypeError|AttributeError|NoMethodError/.test(rule);
}

/** Only what is there to its end can visibly lack something. */
function isWholeObject(payload: string): boolean {
  return /^\s*\{.*\}\s*$/s.test(payload) && payload.trim() !== "{}";
}

/** A frame that shows its line of code may show that the key was looked up in a table of the code's own: `RATES[country]`. */
function comesFromElsewhere(frames: readonly Line[], field: string): boolean {
  const line = frames.find(({ text }) => /\[\w+\]/.test(text))?.text;
  return line !== undefined && !line.includes(`"${field}"`) && !line.includes(`'${field}'`);
}
