import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("rabbitmq", { kills: 30 });
