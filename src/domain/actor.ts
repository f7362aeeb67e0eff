/** Who does something. Every operation is told, and the audit log remembers. */
export interface Actor {
  readonly id: string;
  readonly roles: readonly Role[];
  /** "demo": made up, in a demonstration; nowhere else may it approve anything. */
  readonly kind: "human" | "agent" | "system" | "demo";
  /** The token it came with; without one it is somebody at a keyboard, or the office itself. */
  readonly token?: ActorToken;
}

export interface ActorToken {
  readonly id: string;
  /** What it may be used for; null: whatever its owner may. */
  readonly operations: readonly string[] | null;
}

/** What somebody may do, from least to most; each includes those before it. */
export const roles = ["viewer", "operator", "approver", "admin"] as const;

export type Role = (typeof roles)[number];
