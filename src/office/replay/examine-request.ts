import type { Actor } from "../../domain/actor.ts";
import type { PatchStep } from "../edit/patch-json.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import type { ApprovalFacts } from "./facts.ts";

/** Which letters are looked at, and for whom, as what, and how closely. */
export interface ExamineRequest {
  readonly ids: readonly Uint8Array[];
  readonly policy: PolicyInForce;
  readonly actor: Actor;
  /** Letters in the whole plan. */
  readonly planned: number;
  readonly redirect: string | null;
  readonly approval: ApprovalFacts;
  /** Risks a person has answered for, by the letter's id in hexadecimal digits. */
  readonly acknowledged: ReadonlyMap<string, ReadonlySet<string>>;
  /** Letters of the plan that go, in hexadecimal digits; those that are found to go are added. They hold up nobody. */
  readonly going: Set<string>;
  /** Letters this very replay holds: theirs is not somebody else's claim. */
  readonly ownReplay: Uint8Array | null;
  /** What each of them is edited by before it goes; null: each goes as it is. */
  readonly patch: readonly PatchStep[] | null;
  /** The revisions that were planned, by the letter's id in hexadecimal digits; null: the latest, whatever it is. */
  readonly revisions: ReadonlyMap<string, number> | null;
  /**
   * Letters, in hexadecimal digits, of which their plan did not say that a duplicate would not be recognized: nobody approved that.
   * @default none
   */
  readonly untold?: ReadonlySet<string>;
  /** They go by themselves: those that their policy does not let go so need a person. @default false */
  readonly isAuto?: boolean;
  /** Their plan needs no approval, being small or going by itself. @default false */
  readonly isExempt?: boolean;
  /**
   * Whoever can say what nobody here knows is asked: probes of policies and of consumers, and health checks. Where not, what is
   * uncertain stays so: looking at letters must not be heard in somebody's production. @default true
   */
  readonly asks?: boolean;
  /** Whether probes are among those who are asked. @default as `asks` */
  readonly probes?: boolean;
  /** Queues whose consumers do not answer, by `source/queue`: not asked again; those that do not answer now are added. */
  readonly silent?: Set<string>;
  /** Brokers have to show how things are there: what cannot be asked is thrown. @default false: each letter says why it was not checked */
  readonly mustSee?: boolean;
  /** Sources that could not be asked, each with why; they are not asked again, and others are added. @default none */
  readonly notAsked?: Map<string, string>;
}
