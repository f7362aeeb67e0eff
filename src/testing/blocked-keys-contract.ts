import type { BlockedKeys } from "../stores/blocked-keys.ts";
import { lanes } from "./blocked-keys-contract/lanes.ts";
import { passes } from "./blocked-keys-contract/passes.ts";
import { turns } from "./blocked-keys-contract/turns.ts";
import { type ContractTest, contractTests, type Exemptions } from "./contract.ts";

/** A store of blocked keys as it is put to the test. */
export interface BlockedKeysSubject {
  /** An empty store for one test. */
  open(): Promise<BlockedKeysUnderTest>;
  /** Promises this store cannot keep, by title, each with why. */
  readonly exempt?: Exemptions;
}

export interface BlockedKeysUnderTest {
  readonly store: BlockedKeys;
  /** The same store as another process sees it. @default `store` */
  readonly other?: BlockedKeys;
  close(): Promise<void>;
}

/** What every store of blocked keys promises, one test a promise. */
export function blockedKeysContract(subject: BlockedKeysSubject): readonly ContractTest[] {
  return contractTests([...lanes, ...turns, ...passes], subject.exempt ?? {}, async (run) => {
    const { store, other = store, close } = await subject.open();
    try {
      await run({ store, other });
    } finally {
      await close();
    }
  });
}
