import {
  type Category,
  categories,
  type FailureEvidence,
  noEvidence,
  type SideEffect,
} from "../domain/classification.ts";
import { OfficeError } from "../domain/errors.ts";

/** A failure with, perhaps, what an expert would say about it: what the classifier is measured with. */
export interface LabelledFailure {
  readonly id: string;
  readonly evidence: FailureEvidence;
  readonly label: Category | null;
  /** What stands for a label and is none; null where there is no such thing. */
  readonly unknownLabel: string | null;
  readonly sideEffect: SideEffect | null;
}

/** Reads one failure from JSON; fields that are not there are not known. Refuses what is no object, by its line. */
export function readLabelledFailure(text: string, line: number): LabelledFailure {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notAFailure(line);
  const fields = new Map<string, unknown>(Object.entries(value));
  const textOf = (name: string) => asText(fields.get(name));
  return {
    id: textOf("id") ?? String(line),
    evidence: {
      ...noEvidence,
      errorClass: textOf("errorClass"),
      message: textOf("message"),
      code: textOf("code"),
      httpStatus: asNumber(fields.get("httpStatus")),
      stack: asLines(fields.get("stack")),
      attempts: asNumber(fields.get("attempts")),
      sameErrorEachAttempt: asBoolean(fields.get("sameErrorEachAttempt")),
      payloadExcerpt: textOf("payloadExcerpt"),
      headers: asTexts(fields.get("headers")),
      ecosystem: textOf("ecosystem"),
      language: textOf("language"),
      ownWord: textOf("ownWord"),
    },
    ...labelOf(textOf("label")),
    sideEffect: asSideEffect(fields.get("sideEffect")),
  };
}

function labelOf(text: string | null): Pick<LabelledFailure, "label" | "unknownLabel"> {
  const label = categories.find((category) => category === text) ?? null;
  return { label, unknownLabel: label === null ? text : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notAFailure(line: number): OfficeError {
  const way = "Each failure is one, with errorClass, message, code, httpStatus, stack and so on.";
  return new OfficeError("INVALID_MESSAGE", `Line ${line} is not a JSON object. ${way}`, { details: { line } });
}

function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : null;
}

const asNumber = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const asBoolean = (value: unknown) => (typeof value === "boolean" ? value : null);
const asSideEffect = (value: unknown) => (value === "none" || value === "uncertain" ? value : null);

/** A stack comes as a list of lines or as one text. */
function asLines(value: unknown): readonly string[] {
  if (typeof value === "string") return value.split("\n").filter((line) => line.trim() !== "");
  return Array.isArray(value) ? value.map(String) : [];
}

function asTexts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
