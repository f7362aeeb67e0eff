import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("sqs", { kills: 30 });
