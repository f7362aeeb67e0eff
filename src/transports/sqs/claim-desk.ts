import type { BodyStore } from "../../domain/body-store.ts";
import { type Clock, within } from "../../domain/clock.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { byteGate } from "./byte-gate.ts";
import { type CheckedOut, checkOut, claimedBytes } from "./claims.ts";

/** Where a consumer has the bodies of its messages from. */
export interface ClaimDesk {
  /** Rejects while the place of the bodies is away. */
  requireOpen(): Promise<void>;
  /** Rejects where nobody can say whether the body is there, or it takes longer than `limitMs` to come. */
  checkOut(message: Message, sha256: string, limitMs: number): Promise<CheckedOut>;
}

/** How much is fetched at a time, in bytes: what one receive brings may be ten bodies that are each as large as a process. */
const fetchedAtOnceBytes = 67_108_864;
const firstAgainMs = 30_000;
const longestAgainMs = 900_000;

/** For how long a message is hidden whose body could not be asked for: each receive brings it closer to a redrive policy's limit. */
export function bodyAgainMs(receives: number): number {
  return Math.min(longestAgainMs, firstAgainMs * 2 ** Math.max(0, receives - 1));
}

/**
 * Once a body could not be asked for, nothing is received until that very body can be: every receive counts, and messages whose
 * bodies are to be had in an hour would have been moved away by then.
 */
export function claimDesk(bodies: BodyStore | null, clock: Clock): ClaimDesk {
  let awaited: string | null = null;
  const gate = byteGate(fetchedAtOnceBytes);
  return {
    async requireOpen() {
      if (awaited === null || bodies === null) return;
      const sha256 = awaited;
      await bodies.read(sha256).catch((error: unknown) => {
        if (isAway(error)) throw error;
      });
      if (awaited === sha256) awaited = null;
    },
    async checkOut(message, sha256, limitMs) {
      let isLate = false;
      const fetched = async () => {
        // Nobody waits for it any more: it comes again, and is fetched then.
        if (isLate) throw tooSlow(sha256, limitMs);
        return checkOut(bodies, message, sha256).catch((error: unknown) => {
          if (isAway(error)) awaited = sha256;
          throw error;
        });
      };
      return within(clock, limitMs, gate(claimedBytes(message), fetched), () => {
        isLate = true;
        throw tooSlow(sha256, limitMs);
      });
    },
  };
}

/**
 * What S3 says of one object, which may be the only one: it is archived, its key is locked, or it is not there, which nobody is told
 * who may not list the bucket. That is no reason to keep all others waiting.
 */
const ofOneObject = /^(AccessDenied|InvalidObjectState|KMS\.)/u;

function isAway(error: unknown): boolean {
  return !(isOfficeError(error) && ofOneObject.test(String(error.details.reason)));
}

function tooSlow(sha256: string, limitMs: number): OfficeError {
  const sentence =
    `The message's body, ${sha256}, did not come from its place within ${limitMs} ms, half of the lease. It is tried again; ` +
    "if it is that large, raise the consumer's `leaseMs`.";
  return new OfficeError("STORE_UNAVAILABLE", sentence, { details: { sha256, limitMs } });
}
