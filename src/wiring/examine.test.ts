import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { madeUpQueue, madeUpWiring, to } from "../../test/made-up-wiring.ts";
import { matching } from "../../test/matching.ts";
import { checks, examine } from "./examine.ts";
import type { FindingCode } from "./finding.ts";
import { type Hazard, keepsAll, type WiredQueue } from "./wiring.ts";

const dayMs = 86_400_000;
const letters = madeUpQueue("orders.dlq");
const orders = madeUpQueue("orders", { deadLettering: to("orders.dlq") });

/** For each finding queues that have it, and nearly the same that have not. */
const cases: readonly [FindingCode, has: readonly WiredQueue[], hasNot: readonly WiredQueue[]][] = [
  [
    "dead_letters.target_missing",
    [
      madeUpQueue("orders", { deadLettering: to("orders.dlq", { leaks: ["the exchange `dlx` does not exist"] }) }),
      letters,
    ],
    [orders, letters],
  ],
  [
    "destination.next_death_lost",
    [madeUpQueue("orders", { deadLettering: to("orders.dlq", { targetsAfterReplay: [] }) }), letters],
    [madeUpQueue("orders", { deadLettering: to("orders.dlq", { targetsAfterReplay: null }) }), letters],
  ],
  [
    "dead_letters.cycle",
    [
      madeUpQueue("a", { deadLettering: to("b", { afterMs: 1 }) }),
      madeUpQueue("b", { deadLettering: to("a", { afterMs: 1 }) }),
    ],
    [madeUpQueue("a", { deadLettering: to("b", { afterMs: 1 }) }), madeUpQueue("b", { deadLettering: to("b.dlq") })],
  ],
  [
    "dead_letters.retry_loop",
    [madeUpQueue("a", { deadLettering: to("wait") }), madeUpQueue("wait", { deadLettering: to("a", { afterMs: 1 }) })],
    [madeUpQueue("a", { deadLettering: to("a.dlq") }), madeUpQueue("wait", { deadLettering: to("a", { afterMs: 1 }) })],
  ],
  [
    "dead_letters.unsure",
    [madeUpQueue("orders", { deadLettering: to("orders.dlq", { unsure: "it is a classic queue" }) }), letters],
    [orders, letters],
  ],
  [
    "delivery_limit.drops",
    [madeUpQueue("orders", { deliveryLimit: { deliveries: 4, isDefault: false } })],
    [{ ...orders, deliveryLimit: { deliveries: 4, isDefault: false } }, letters],
  ],
  [
    "delivery_limit.default",
    [{ ...orders, deliveryLimit: { deliveries: 21, isDefault: true } }, letters],
    [{ ...orders, deliveryLimit: { deliveries: 21, isDefault: false } }, letters],
  ],
  ["queue.no_dead_letters", [madeUpQueue("orders")], [madeUpQueue("orders", { deadLettering: "unseen" })]],
  [
    "naming.unlike",
    [madeUpQueue("orders", { deadLettering: to("graveyard") }), madeUpQueue("graveyard")],
    [madeUpQueue("orders", { deadLettering: to("dead-letters") }), madeUpQueue("dead-letters")],
  ],
  [
    "letters.compacted",
    [{ ...letters, keeping: { ...keepsAll, isCompacted: true } }],
    [{ ...orders, keeping: { ...keepsAll, isCompacted: true } }, letters],
  ],
  [
    "letters.expiring",
    [{ ...letters, oldestAgeMs: 8 * dayMs, keeping: { ...keepsAll, retentionMs: 7 * dayMs } }],
    [{ ...letters, oldestAgeMs: 6 * dayMs, keeping: { ...keepsAll, retentionMs: 7 * dayMs } }],
  ],
  [
    "letters.retention",
    [{ ...letters, keeping: { ...keepsAll, retentionMs: 7 * dayMs } }],
    [{ ...letters, keeping: { ...keepsAll, retentionMs: 14 * dayMs } }],
  ],
  ["letters.queue_expires", [{ ...letters, keeping: { ...keepsAll, expiresMs: dayMs } }], [letters]],
  ["letters.overflow", [{ ...letters, keeping: { ...keepsAll, dropsBeyond: "10 messages" } }], [letters]],
];

const hazards: readonly [FindingCode, Hazard["kind"], queue: string | null][] = [
  ["broker.evicts", "evicts", null],
  ["broker.forgets", "forgets", null],
  ["broker.flushes_late", "flushes-late", null],
  ["queue.trimmed", "trimmed", "orders"],
  ["delivery_limit.unheard", "gives-up", "orders"],
  ["delivery_limit.low", "gives-up-early", "orders"],
];

function codesIn(queues: readonly WiredQueue[]): FindingCode[] {
  return examine(madeUpWiring(queues), {}).map(({ code }) => code);
}

describe("every check", () => {
  it.each(cases)("%s is found where it is, and only there", (code, has, hasNot) => {
    expect(codesIn(has)).toContain(code);
    expect(codesIn(hasNot)).not.toContain(code);
  });

  it.each(hazards)("%s is found where the broker is said to do so, and only there", (code, kind, queue) => {
    const hazard = { kind, queue, sentence: "It is so.", remedy: "Do this." };
    const found = examine(madeUpWiring([orders, letters], { hazards: [hazard] }), {});
    expect(found).toMatchObject([{ code, queue, sentence: "It is so.", remedy: "Do this." }]);
    expect(codesIn([orders, letters])).not.toContain(code);
  });

  it("is tested above, or is about rights", () => {
    const tested = [...cases, ...hazards].map(([code]) => code);
    expect(checks.map(({ code }) => code).filter((code) => !tested.includes(code))).toEqual([
      "rights.missing",
      "rights.needless",
    ]);
  });

  it("finds nothing in a broker that is set up as it should be", () => {
    expect(
      codesIn([orders, letters, madeUpQueue("orders.retry.10s", { deadLettering: to("orders", { afterMs: 10_000 }) })]),
    ).toEqual([]);
    expect(codesIn([orders, letters, madeUpQueue("orders.parked"), madeUpQueue("dlo.reports")])).toEqual([]);
  });

  it("leaves alone what goes away by itself, and what the broker keeps for itself", () => {
    expect(
      codesIn([
        madeUpQueue("reply", { isTemporary: true }),
        madeUpQueue("__consumer_offsets"),
        madeUpQueue("amq.gen-1"),
      ]),
    ).toEqual([]);
  });
});

describe("findings", () => {
  it("come with the broker's own remedy, and otherwise with the check's", () => {
    const wiring = madeUpWiring([madeUpQueue("orders")]);
    expect(examine(wiring, { "queue.no_dead_letters": ({ name }) => `rabbitmqctl ${name}` })).toMatchObject([
      {
        queue: "orders",
        severity: "warning",
        remedy: "rabbitmqctl orders",
        sentence: matching(/^`orders` has no dead-letter queue/),
      },
    ]);
    expect(examine(wiring, {})).toMatchObject([{ remedy: "Give it a dead-letter queue." }]);
  });

  it("name the queue that hands nothing to the dead-letter queue beside it", () => {
    expect(examine(madeUpWiring([madeUpQueue("orders"), letters]), {})).toMatchObject([
      { sentence: matching(/hands nothing to `orders.dlq`/) },
    ]);
  });

  it("name a dead-letter queue that belongs to another", () => {
    const queues = [madeUpQueue("mail", { deadLettering: to("orders.dlq") }), orders, letters];
    expect(examine(madeUpWiring(queues), {})).toMatchObject([
      { queue: "mail", sentence: matching(/belongs to `orders`/) },
    ]);
  });

  it("tell of rights that are missing, and of those nobody needs", () => {
    const gaps = [
      { kind: "needless", sentence: "It is mighty.", remedy: "less" },
      { kind: "missing", sentence: "It is blind.", remedy: "more" },
    ] as const;
    expect(examine(madeUpWiring([], { gaps }), {})).toMatchObject([
      { code: "rights.missing", queue: null, sentence: "It is blind.", remedy: "more" },
      { code: "rights.needless", remedy: "less" },
    ]);
  });

  it("are there whatever queues are called, and in whatever way they are wired", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("a", "a.dlq", "__proto__", "constructor", "dlq", ".dlq"),
    );
    const queue = fc.record({ name, target: fc.option(name), afterMs: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(queue), (all) => {
        const queues = all.map((each) =>
          madeUpQueue(each.name, {
            deadLettering: each.target === null ? null : to(each.target, { afterMs: each.afterMs }),
          }),
        );
        for (const finding of examine(madeUpWiring(queues), {}))
          expect(finding.sentence.length * finding.remedy.length).toBeGreaterThan(0);
      }),
    );
  });
});
