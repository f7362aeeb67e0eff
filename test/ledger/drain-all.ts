import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { Address } from "../../src/domain/message.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { type DrainProgress, drain } from "../../src/office/intake/drain.ts";
import { systemHost } from "../../src/system/host.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { classify } from "../../src/triage/classify.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { tester, testRoom } from "./letters.ts";

/** Takes in all that is in a dead-letter queue, as the office does. */
export function drainAll(ledger: Ledger, transport: Transport, from: Address): Promise<DrainProgress> {
  const room = { ...testRoom(), read: readDeadLetter, triage: { classify, fingerprint } };
  return drain(
    {
      ...{ ledger, transport, source: "rabbit", room, actor: tester, host: systemHost },
      ...{ from, signal: new AbortController().signal },
    },
    { idleMs: 2_000, lingerMs: 5 },
  );
}
