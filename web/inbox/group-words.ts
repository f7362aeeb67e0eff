import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask } from "../app/office.ts";
import { officeNow } from "../app/office-clock.ts";
import { quoted } from "../ui/quoted.ts";
import type { Nap } from "./naps.ts";

export type Attention = OutputOf<"groups.get">["attention"];

/** Something said of a group that can be taken back, and so is said without being asked twice. */
export interface GroupWord {
  readonly operation: "groups.acknowledge" | "groups.snooze" | "groups.assign" | "groups.wake";
  /** What happened, once it has. */
  readonly sentence: string;
  readonly command: string;
  readonly say: () => Promise<unknown>;
}

export function acknowledging(id: string, reason: string | null = null): GroupWord {
  return {
    operation: "groups.acknowledge",
    sentence: "Acknowledged until it gets worse",
    command: `dlo groups ack ${id}`,
    say: () => ask("groups.acknowledge", { id, reason }),
  };
}

/** It ends when the group gets worse, too, unless that is not wanted. */
export function snoozing(id: string, { name, until, flag }: Nap, untilWorse = true): GroupWord {
  const flags = [flag, untilWorse ? "--until-worse" : ""].filter((each) => each !== "");
  return {
    operation: "groups.snooze",
    sentence: `Snoozed ${name}${untilWorse && until !== null ? ", or until it gets worse" : ""}`,
    command: `dlo groups snooze ${[id, ...flags].join(" ")}`,
    say: () => ask("groups.snooze", { id, until: until === null ? null : new Date(until).toISOString(), untilWorse }),
  };
}

export function waking(id: string): GroupWord {
  return {
    operation: "groups.wake",
    sentence: "Asks for attention again",
    command: `dlo groups wake ${id}`,
    say: () => ask("groups.wake", { id }),
  };
}

/** Null: to nobody any more. */
export function assigning(id: string, to: string | null): GroupWord {
  return {
    operation: "groups.assign",
    sentence: to === null ? "Nobody has it any more" : `Assigned to ${to}`,
    command: `dlo groups assign ${id} --to ${quoted(to ?? "nobody")}`,
    say: () => ask("groups.assign", { id, to }),
  };
}

/** What brings a group back to how it stood before a word. */
export function takingBack({ operation }: GroupWord, id: string, before: Attention): () => Promise<unknown> {
  const { status, reason, isUntilWorse, assignee } = before;
  if (operation === "groups.assign") return assigning(id, assignee).say;
  if (status === "acknowledged") return acknowledging(id, reason).say;
  const until = before.until === null ? null : Date.parse(before.until);
  const isOver = until !== null && until <= officeNow();
  if (status === null || isOver) return waking(id).say;
  return () => ask("groups.snooze", { id, reason, until: before.until, untilWorse: isUntilWorse });
}
