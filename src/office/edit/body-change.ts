import type { PatchStep } from "./patch-json.ts";

/** What is to become of a body. */
export type Change =
  /** Spliced into the text: all other bytes stay. */
  | { readonly kind: "patch"; readonly steps: readonly PatchStep[] }
  /** The text that was shown, masks and all, as somebody has edited it. */
  | { readonly kind: "text"; readonly text: string }
  /** Another body, whatever was there. */
  | { readonly kind: "body"; readonly body: Uint8Array };
