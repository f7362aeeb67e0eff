import { describe, it } from "vitest";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { memoryInbox } from "../../src/stores/memory-inbox.ts";
import { memorySharedState } from "../../src/stores/memory-shared-state.ts";
import { blockedKeysContract } from "../../src/testing/blocked-keys-contract.ts";
import { inboxContract } from "../../src/testing/inbox-contract.ts";
import { sharedStateContract } from "../../src/testing/shared-state-contract.ts";

describe.concurrent("inbox: memory, with transactions", () => {
  const contract = inboxContract({
    transactional: true,
    async open() {
      const committed: string[] = [];
      const inbox = memoryInbox<string[]>({
        transactions: {
          begin: () => [],
          commit: (lines) => {
            committed.push(...lines);
          },
          rollback: (lines) => {
            lines.length = 0;
          },
        },
      });
      return {
        inbox,
        write: async (lines, line) => {
          lines.push(line);
        },
        lines: async () => committed,
        close: async () => {},
      };
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

describe.concurrent("inbox: memory", () => {
  const contract = inboxContract({
    transactional: false,
    open: async () => ({ inbox: memoryInbox(), close: async () => {} }),
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

describe.concurrent("shared state: memory", () => {
  const contract = sharedStateContract({
    open: async () => ({ state: memorySharedState(), close: async () => {} }),
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

describe.concurrent("blocked keys: memory", () => {
  const contract = blockedKeysContract({
    open: async () => ({ store: memoryBlockedKeys(), close: async () => {} }),
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});
