import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { readId } from "../../domain/ids.ts";
import { numbersWithRisk } from "../../ledger/replay-items.ts";
import { acknowledge, approve, ask, breakGlass, exclude, reject, revoke } from "../replay/approve-replay.ts";
import { doubtVerdicts, settleDoubt } from "../replay/settle-doubt.ts";
import { cancel, pauseReplay, resume, start } from "../replay/steer-replay.ts";
import { type Office, operation } from "./operation.ts";
import { replayShape } from "./replay-shapes.ts";
import { getOne } from "./replays.ts";
import { wholeNumber } from "./whole-number.ts";

const id = z.string();
const reason = z.string();
const numbers = z.array(wholeNumber(1)).min(1).max(100_000);

/** Something a person says about a replay, with a reason. All give the replay as it is then. */
function saying(
  name: string,
  summary: string,
  role: "operator" | "approver" | "admin",
  say: (
    parts: Office["replay"],
    actor: Actor,
    said: { readonly replay: Uint8Array; readonly reason: string },
  ) => Promise<void>,
  inPerson = false,
) {
  return operation({
    ...{
      name,
      summary,
      role,
      inPerson,
      isScoped: true,
      input: z.object({ id, reason: reason.default("") }),
      output: replayShape,
    },
    async run(office, input, actor) {
      const replay = readId("replay", input.id);
      await say(office.replay, actor, { replay, reason: input.reason });
      return getOne(office, replay);
    },
  });
}

export const askForReplay = saying("replays.ask", "asks for the approvals a plan needs", "operator", ask);
export const rejectReplay = saying("replays.reject", "says no to a plan, for good", "approver", reject);
export const revokeApproval = saying("replays.revoke", "takes one's own approval back", "approver", revoke);
export const breakReplayGlass = saying(
  "replays.breakGlass",
  "stands in for missing approvals, loudly and for ever on the record",
  "admin",
  breakGlass,
  true,
);
export const pauseOne = saying("replays.pause", "sends nothing more until it is resumed", "operator", pauseReplay);
export const resumeReplay = saying("replays.resume", "goes on after a pause or a halt", "operator", resume);
export const cancelReplay = saying("replays.cancel", "ends it; what was sent cannot be recalled", "operator", cancel);

export const approveReplay = operation({
  name: "replays.approve",
  summary: "says yes to exactly the plan that was seen",
  role: "approver",
  isScoped: true,
  inPerson: true,
  input: z.object({ id, reason: reason.default(""), hash: z.string(), risks: z.array(z.string()).default([]) }),
  output: replayShape,
  async run(office, { id: given, ...verdict }, actor) {
    const replay = readId("replay", given);
    await approve(office.replay, actor, { replay, ...verdict });
    return getOne(office, replay);
  },
});

export const startReplay = operation({
  name: "replays.start",
  summary: "lets an approved plan run, if it sends as many letters as one believes",
  role: "operator",
  isScoped: true,
  input: z.object({ id, expectCount: wholeNumber(), allowFewer: z.boolean().default(false) }),
  output: replayShape,
  async run(office, { id: given, expectCount, allowFewer }, actor) {
    const replay = readId("replay", given);
    await start(office.replay, actor, { replay, expectCount, allowFewer });
    return getOne(office, replay);
  },
});

export const acknowledgeRisks = operation({
  name: "replays.acknowledge",
  summary: "answers for the risk of items by number, or of all with the same risk",
  role: "operator",
  isScoped: true,
  input: z.object({ id, reason, items: numbers.optional(), code: z.string().optional() }),
  output: replayShape,
  async run(office, { id: given, reason: because, items, code }, actor) {
    const replay = readId("replay", given);
    const { ledger } = office;
    const chosen = items ?? (await numbersWithRisk(ledger, ledger.database, { replay, code: code ?? "" }));
    await acknowledge(office.replay, actor, { replay, reason: because, numbers: chosen });
    return getOne(office, replay);
  },
});

export const excludeFromReplay = operation({
  name: "replays.exclude",
  summary: "takes letters out of a plan; nothing can be added to one",
  role: "operator",
  isScoped: true,
  input: z.object({ id, reason: reason.default(""), items: numbers }),
  output: replayShape,
  async run(office, { id: given, reason: because, items }, actor) {
    const replay = readId("replay", given);
    await exclude(office.replay, actor, { replay, reason: because, numbers: items });
    return getOne(office, replay);
  },
});

export const settleReplayDoubt = operation({
  name: "replays.settle",
  summary: "says what became of sends in doubt: they happened, or their letters are planned again",
  role: "operator",
  isScoped: true,
  input: z
    .object({
      ...{ id, reason, verdict: z.enum(doubtVerdicts), items: numbers.optional() },
      /** Without `items`: all that are in doubt, if they are so many. */
      expectCount: wholeNumber(1).optional(),
    })
    .refine(({ items, expectCount }) => (items === undefined) !== (expectCount === undefined), {
      error: "either name `items`, or give `expectCount` for all that are in doubt",
    }),
  output: replayShape,
  async run(office, { id: given, items = null, expectCount = null, ...said }, actor) {
    const replay = readId("replay", given);
    await settleDoubt(office.replay, actor, { ...said, replay, numbers: items, expectCount });
    return getOne(office, replay);
  },
});
