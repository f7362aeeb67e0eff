import type { WrittenEntry } from "../../ledger/read-audit.ts";

/** Something that is not as it was. It says where to look, and nothing of what is there. */
export interface Change {
  /** What pages watch: `inbox`, or `replay:rpl_…`. */
  readonly topic: string;
  readonly kind: `${"letter" | "group" | "replay" | "approval" | "queue" | "breaker" | "alert"}.changed`;
  /** Of what changed; null where it is many, or only the ledger knows. */
  readonly id: string | null;
  /** In a word, such as `held` or `approved`. */
  readonly changed: readonly string[];
}

interface Entry {
  readonly action: string;
  readonly replay?: unknown;
  readonly group?: unknown;
  readonly first?: unknown;
  readonly alert?: unknown;
}

type Read = (entry: Entry, what: string) => readonly Change[];

/** Words on a replay that somebody may be waiting for, or that ask for one. */
const aboutApproval = ["planned", "asked", "approved", "rejected", "revoked", "glass_broken", "cancelled"];

const ofGroup: Read = ({ group }, what) => [
  { topic: "inbox", kind: "group.changed", id: textOf(group), changed: [what] },
];

const byArea: Readonly<Record<string, Read>> = {
  letters: ({ first }, what) => [{ topic: "inbox", kind: "letter.changed", id: textOf(first), changed: [what] }],
  replay({ replay }, what) {
    const id = textOf(replay);
    const own: Change = { topic: `replay:${id ?? ""}`, kind: "replay.changed", id, changed: [what] };
    return aboutApproval.includes(what)
      ? [own, { topic: "inbox", kind: "approval.changed", id, changed: [what] }]
      : [own];
  },
  groups: ofGroup,
  fix: ofGroup,
  deploy: (_entry, what) => [{ topic: "inbox", kind: "queue.changed", id: null, changed: [what] }],
  alert: ({ alert }, what) => [{ topic: "inbox", kind: "alert.changed", id: textOf(alert), changed: [what] }],
  policy: (_entry, what) => [{ topic: "inbox", kind: "group.changed", id: null, changed: [what] }],
};

/** What an entry of the audit log means for those who look on. Who signed in, and with what, is nobody's business. */
export function changesOf({ text }: WrittenEntry): readonly Change[] {
  const entry = JSON.parse(text) as Entry;
  const [area = "", what = ""] = entry.action.split(".");
  return byArea[area]?.(entry, what) ?? [];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
