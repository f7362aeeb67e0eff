import type { BrokerSetting } from "../config/broker-settings.ts";

/** What somebody has to know who connects a broker: how its address looks, what draining changes there, and what it takes. */
export interface BrokerGuide {
  /** As its makers call it. */
  readonly product: string;
  /** An address to begin from. */
  readonly address: string;
  /** What becomes of the letters in the broker when they are drained. */
  readonly draining: string;
  /** Whose dead letters are found there, too; null: those of its own consumers alone. */
  readonly alsoFor: string | null;
  /** What its address does not say. */
  readonly settings: readonly GuideSetting[];
  /** The least that an account must be allowed, and a command or setting that allows it. */
  readonly rights: readonly Right[];
}

export interface GuideSetting {
  readonly name: BrokerSetting;
  readonly label: string;
}

export interface Right {
  readonly to: "look" | "drain" | "send back";
  readonly needs: string;
  /** To paste, for a user called dlo. */
  readonly remedy: string;
}
