import { describeKillLoop } from "./describe-kill-loop.ts";

describeKillLoop("postgres", { kills: 20, withoutInbox: true });
