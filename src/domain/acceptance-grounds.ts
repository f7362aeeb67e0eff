export const acceptanceGrounds = ["handled", "harmless"] as const;

/** "handled": consumers recognize a duplicate, by something that no server can see. "harmless": processing one twice changes nothing. */
export type AcceptanceGround = (typeof acceptanceGrounds)[number];
