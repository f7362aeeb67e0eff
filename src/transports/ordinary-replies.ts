import type { Shortcomings } from "./transport.ts";

/** Of brokers that know no address which is a requester's alone. */
export const ordinaryReplies: Shortcomings = { replyAddresses: "an answer goes to a queue like any other" };
