import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("redis");
