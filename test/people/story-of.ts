import type { Random } from "../../src/domain/clock.ts";
import { seededRandom } from "../../src/simulate/random.ts";

/** One thing that happens in a story of people who come. */
export type ArrivalStep =
  | { readonly does: "configure"; readonly people: readonly StoryPerson[] }
  | { readonly does: "arrive"; readonly sub: string; readonly name: string | null; readonly groups: readonly string[] }
  | { readonly does: "invite"; readonly id: string; readonly roles: readonly string[] }
  | { readonly does: "change"; readonly id: string; readonly roles: readonly string[] }
  | { readonly does: "join"; readonly id: string; readonly sub: string }
  | { readonly does: "rename"; readonly id: string; readonly to: string };

/** As `people:` of a configuration has them, at the only issuer there is. */
export interface StoryPerson {
  readonly id: string;
  readonly sub: string;
  readonly roles: readonly string[];
}

const subjects = ["s1", "s2", "s3", "s4"];
/** Names as an issuer may say them: the same, or the same to a careless reader. */
const spoken = [
  ...["boss", "Boss", "BOSS", " boss ", "boss\t", "ｂｏｓｓ", "bоss", "b0ss", "bo.ss", "boss\u200b", "\u202eboss"],
  ...["bоѕѕ", "BＯSS", "boſſ", "-boss", "boss/", "admin", "Admin", "system", "policy", "chief", "ana", "Ana"],
];
const ids = ["boss", "chief", "ana", "Boss", "b0ss"];
const roles = ["viewer", "operator", "approver", "admin"];

/** What happens for that seed, always the same. */
export function storyOf(seed: number): readonly ArrivalStep[] {
  const random = seededRandom(`arrivals/${seed}`);
  const length = 3 + Math.floor(random() * 7);
  return Array.from({ length }, () => stepOf(random));
}

function stepOf(random: Random): ArrivalStep {
  const one = <T>(among: readonly T[]): T => among[Math.floor(random() * among.length)] as T;
  const some = <T>(among: readonly T[], share: number): T[] => among.filter(() => random() < share);
  const dice = random();
  if (dice < 0.2) return { does: "configure", people: configured(random, one) };
  if (dice < 0.7)
    return { does: "arrive", sub: one(subjects), name: one([...spoken, null]), groups: some(["ops", "admin"], 0.7) };
  if (dice < 0.8) return { does: "invite", id: one(ids), roles: some(roles, 0.4) };
  if (dice < 0.88) return { does: "change", id: one(ids), roles: some(roles, 0.3) };
  if (dice < 0.94) return { does: "join", id: one(ids), sub: one(subjects) };
  return { does: "rename", id: one(ids), to: one([...ids, "free"]) };
}

/** Each id and each subject once, as a configuration must have them. */
function configured(random: Random, one: <T>(among: readonly T[]) => T): StoryPerson[] {
  const left = [...subjects];
  return ["boss", "chief"]
    .filter(() => random() < 0.7)
    .map((id) => {
      const sub = one(left);
      left.splice(left.indexOf(sub), 1);
      return { id, sub, roles: roles.filter(() => random() < 0.5) };
    });
}
