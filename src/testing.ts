/**
 * For people who test their handlers: a broker in memory, and a clock that goes when it is told to.
 * For people who write a transport or a store: what it has to promise, as tests for any runner.
 */
export { memoryBlockedKeys } from "./stores/memory-blocked-keys.ts";
export { memoryInbox, type Transactions } from "./stores/memory-inbox.ts";
export { memorySharedState } from "./stores/memory-shared-state.ts";
export {
  type BlockedKeysSubject,
  type BlockedKeysUnderTest,
  blockedKeysContract,
} from "./testing/blocked-keys-contract.ts";
export type { ContractTest, Exemptions } from "./testing/contract.ts";
export { type EventuallyOptions, eventually } from "./testing/eventually.ts";
export { type FakeClock, fakeClock } from "./testing/fake-clock.ts";
export { type FakeHost, fakeHost } from "./testing/fake-host.ts";
export type { InboxSubject, InboxUnderTest } from "./testing/inbox-contract/bench.ts";
export { inboxContract } from "./testing/inbox-contract.ts";
export {
  type SharedStateSubject,
  type SharedStateUnderTest,
  sharedStateContract,
} from "./testing/shared-state-contract.ts";
export { type Fate, type TestConsumer, type TestConsumerOptions, testConsumer } from "./testing/test-consumer.ts";
export type { TransportSubject } from "./testing/transport-contract/bench.ts";
export { transportContract } from "./testing/transport-contract.ts";
export { type Troubles, troubledLink } from "./testing/troubled-link.ts";
export { type MemoryTransportOptions, memoryTransport } from "./transports/memory.ts";
export { type MemoryBroker, type MemoryBrokerOptions, memoryBroker } from "./transports/memory-broker.ts";
export { type MemoryLinkOptions, memoryLink } from "./transports/memory-link.ts";
export type { MemoryReceipt } from "./transports/memory-queue.ts";
