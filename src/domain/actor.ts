/** Who does something. Every operation is told, and the audit log remembers. */
export interface Actor {
  readonly id: string;
  readonly roles: readonly Role[];
  readonly kind: "human" | "agent" | "system";
}

/** What somebody may do, from least to most; each includes those before it. */
export const roles = ["viewer", "operator", "approver", "admin"] as const;

export type Role = (typeof roles)[number];
