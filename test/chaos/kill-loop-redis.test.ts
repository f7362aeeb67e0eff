import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("redis", { kills: 30 });
