import type { CommonField } from "./likeness.ts";

/** What a field says of the letters, in a sentence that pages and terminals have alike. */
export function commonInWords({ kind, distinct, values: [first] }: CommonField): string {
  if (first === undefined) return "";
  const there = first.elsewhere === null ? "" : `, ${shareOf(first.elsewhere)} of the others in its queue`;
  if (kind === "same") return `${first.value} on all${there}`;
  if (kind === "mostly") return `${first.value} on ${shareOf(first.share)}${there}`;
  const most = `${first.value} on ${shareOf(first.share)}`;
  if (distinct === 1) return `${most}, none on the others`;
  return first.n === 1 ? `${distinct} different ones` : `${distinct} different ones, most often ${most}`;
}

function shareOf(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 1 ? "under 1" : Math.floor(percent)} %`;
}

const searches: Readonly<Record<string, string>> = {
  ...{ type: "type", consumer: "consumer", tenant: "ctx.tenant", code: "code", key: "key", version: "version" },
  ...{ attempts: "attempts", host: "host" },
};

/** The letters of the group that have that value; null where the query language has no word for it. */
export function commonSearch(group: string, field: string, value: string): string | null {
  const name = field.startsWith("header.") ? field : searches[field];
  if (name === undefined || !/^[\w.-]+$/.test(name) || /[\n\r]/.test(value)) return null;
  // A version and a number are read as they are; in quotes they would be text.
  const isPlain = /^[\w./@-]+$/.test(value);
  if (name === "version" && !/^v?\d+(\.\w+)*/.test(value)) return null;
  return `group:${group} ${name}:${isPlain ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`}`;
}
