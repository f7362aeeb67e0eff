import { OfficeError } from "./errors.ts";

/**
 * Merges options over their defaults and refuses names nobody knows.
 *
 * Unlike a spread, an explicit `undefined` also takes the default. A misspelt name would otherwise be ignored in
 * silence and found out at night, so it is refused with the nearest right one.
 */
export function withDefaults<T extends object>(defaults: Required<T>, options: T | undefined, where = ""): Required<T> {
  if (options === undefined) return { ...defaults };
  refuseUnknownNames(Object.keys(options), Object.keys(defaults), where);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

export function refuseUnknownNames(given: readonly string[], known: readonly string[], where = ""): void {
  const stranger = given.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const nearest = nearestName(stranger, known);
  const hint = nearest ? ` Did you mean \`${inside(where, nearest)}\`?` : ` Known are: ${known.join(", ")}.`;
  throw new OfficeError("INVALID_OPTION", `\`${inside(where, stranger)}\` is not an option.${hint}`, {
    details: { option: inside(where, stranger), nearest },
  });
}

export function requireOption(condition: boolean, option: string, expectation: string, given?: unknown): void {
  if (condition) return;
  const seen = given === undefined ? "" : ` It is ${show(given)}.`;
  throw new OfficeError("INVALID_OPTION", `\`${option}\` must be ${expectation}.${seen}`, {
    details: { option, expectation },
  });
}

export interface NumberBounds {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/** Refuses anything but a finite number within its bounds, naming the option and the bound. */
export function requireNumber(option: string, value: unknown, { min, max, integer = false }: NumberBounds): void {
  const range = max === undefined ? `${min} or more` : `between ${min} and ${max}`;
  const fits =
    typeof value === "number" &&
    Number.isFinite(value) &&
    value >= min &&
    (max === undefined || value <= max) &&
    (!integer || Number.isInteger(value));
  requireOption(fits, option, `a${integer ? " whole" : ""} number, ${range}`, value ?? null);
}

export function requireOneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === "string" && allowed.includes(value)) return;
  const nearest = typeof value === "string" ? nearestName(value, allowed) : undefined;
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  throw new OfficeError(
    "INVALID_OPTION",
    `\`${option}\` must be one of ${allowed.join(", ")}. It is ${show(value)}.${hint}`,
    {
      details: { option, allowed, nearest },
    },
  );
}

/** Fewer letters are the beginning of a name by accident. */
const shortestBeginning = 3;

/** The known name closest to a misspelt or unfinished one, if any is close enough to be what was meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const begun = known.filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  if (wanted.length >= shortestBeginning && begun.length === 1) return begun[0];
  const scored = known.map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }));
  const best = scored.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(2, Math.floor(wanted.length / 3)) ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function inside(where: string, name: string): string {
  return where === "" ? name : `${where}.${name}`;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "function" ? "a function" : String(value);
}
