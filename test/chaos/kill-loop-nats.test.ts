import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("nats", { kills: 30 });
