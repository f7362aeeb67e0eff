import { z } from "zod";
import { showId } from "../../domain/ids.ts";
import { releaseSending, stopSending } from "../replay/stop-sending.ts";
import { operation } from "./operation.ts";

export const pauseAllReplays = operation({
  name: "replays.pauseAll",
  summary: "stops all sending: pauses everything that runs, and lets nothing start or go on until it is released",
  role: "operator",
  input: z.object({ reason: z.string().default("") }),
  output: z.object({ paused: z.array(z.string()) }),
  async run(office, { reason }, actor) {
    const paused = await stopSending(office.replay, actor, reason);
    return { paused: paused.map((each) => showId("replay", each)) };
  },
});

export const releaseReplays = operation({
  name: "replays.release",
  summary: "lets replays be started and resumed again, after all sending was stopped; none goes on by itself",
  role: "operator",
  input: z.object({ reason: z.string() }),
  output: z.object({}),
  async run(office, { reason }, actor) {
    await releaseSending(office.replay, actor, reason);
    return {};
  },
});
