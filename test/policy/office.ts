import { defaultMasking } from "../../src/domain/redaction.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { keySums } from "../../src/office/keys/key-sums.ts";
import { type Call, callsTo } from "../../src/office/operations/operations.ts";
import { sharedAnswers } from "../../src/office/shared-answers.ts";
import { statusOf } from "../../src/office/standing-work.ts";
import { systemHost } from "../../src/system/host.ts";
import { newSecret } from "../../src/system/secrets.ts";
import { testSources } from "../http/test-sources.ts";
import { noSources, testRoom } from "../ledger/letters.ts";
import { replayWorld } from "../replay/world.ts";

/** The table of operations over that ledger, in process. */
export function callsOn(ledger: Ledger, replay = replayWorld(ledger).parts): Call {
  const self = {
    version: "test",
    place: "a test",
    isEmbedded: false,
    id: () => null,
    freeBytes: async () => null,
    work: () => statusOf(null),
    databaseWaits: () => 0,
  };
  const { clock, newId } = systemHost;
  const common = {
    bodies: null,
    masking: defaultMasking,
    retentionMs: 1e10,
    clock,
    newId,
    newSecret,
    self,
    tell: async () => {},
    notifiers: [],
  };
  return callsTo({
    ...common,
    ledger,
    replay,
    room: testRoom(),
    sources: testSources(ledger),
    share: sharedAnswers(),
    keySums: keySums(systemHost.clock),
    sharedBy: async () => null,
    blockedKeysOf: async () => null,
    sendRelease: async () => {},
    sourceNames: () => [],
    drain: noSources,
    peek: noSources,
    checkSignIn: async () => null,
    roles: [],
  });
}
