import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("kafka", { kills: 30 });
