import { describe, expect, it } from "vitest";
import type { LetterFate } from "../../sources/letter-fate.ts";
import { drawTopology } from "./draw-topology.ts";
import { byWeight, inFocus, isQuietInFocus } from "./focus.ts";
import type { TopologyFacts } from "./topology-facts.ts";

const at = "2026-11-15T14:00:00.000Z";

function consumer(queue: string, service: string, instances: number) {
  const seen = { firstSeenAt: at, lastSeenAt: at, schemas: [] };
  return { source: "rabbit", queue, service, version: "2.14.3", instances, ...seen };
}

function connected(fates: Readonly<Record<string, LetterFate>>, replayTo: Readonly<Record<string, string>> = {}) {
  return {
    ...{ name: "rabbit", broker: "rabbitmq", owner: "payments", isSeen: true, named: Object.keys(fates) },
    fateOf: (name: string) => fates[name] ?? ("leave alone" as const),
    replayTo: (name: string) => replayTo[name] ?? null,
  };
}

function facts(more: Partial<TopologyFacts> = {}): TopologyFacts {
  return {
    connected: [connected({ "orders.dlq": "drain", "audit.dlq": "observe" })],
    brokers: new Map([["rabbit", "rabbitmq"]]),
    places: [
      { source: "rabbit", queue: "orders", open: 12, failedLately: 3 },
      { source: "rabbit", queue: "audit", open: 0, failedLately: 0 },
      { source: "rabbit", queue: "mail", open: 1, failedLately: 0 },
    ],
    routes: [
      { source: "rabbit", queue: "orders", deadLetters: ["orders.dlq"], sentTo: ["orders"] },
      { source: "rabbit", queue: "audit", deadLetters: ["audit.dlq"], sentTo: [] },
    ],
    consumers: [consumer("orders", "shop", 2), consumer("mail", "post", 0)],
    breakers: [],
    drained: [{ source: "rabbit", queue: "orders.dlq" }],
    troubles: [],
    ...{ isDemo: false, unexplored: 0 },
    ...more,
  };
}

function drawn(given = facts()) {
  const { sources } = drawTopology(given, { places: given.places, matching: given.places, withQuiet: () => true });
  const queues = sources.flatMap((source) => source.queues);
  return { sources, queue: (name: string) => queues.find((each) => each.name === name) };
}

const codesOf = (given: { readonly warnings: readonly { readonly code: string }[] } | undefined) =>
  given?.warnings.map(({ code }) => code);

describe("a topology", () => {
  it("says of a queue who consumes it, where it dies, what takes that in, and where a replay lands", () => {
    expect(drawn().queue("orders")).toEqual({
      ...{ name: "orders", open: 12, failedLately: 3, breakers: [], warnings: [] },
      consumers: [{ service: "shop", version: "2.14.3", instances: 2 }],
      deadLetters: [{ name: "orders.dlq", fate: "drained" }],
      replaysTo: [{ queue: "orders", because: "origin" }],
    });
  });

  it("warns of dead letters that nothing drains, and of a queue whose last consumer went silent", () => {
    const { queue } = drawn();
    expect(codesOf(queue("audit"))).toEqual(["drain.missing"]);
    expect(codesOf(queue("mail"))).toEqual(["consumer.silent"]);
  });

  it("warns where a drain should be at work and none is, and repeats what keeps it from it", () => {
    expect(codesOf(drawn(facts({ drained: [] })).queue("orders"))).toEqual(["drain.stopped"]);
    const troubles = [{ source: "rabbit", queue: "orders.dlq", trouble: "The connection was refused." }];
    expect(drawn(facts({ troubles })).queue("orders")?.warnings).toEqual([
      { code: "drain.troubled", sentence: "orders.dlq cannot be drained: The connection was refused." },
    ]);
  });

  it("warns of a replay into the dead-letter queue itself, and of a breaker that holds one up", () => {
    const source = connected({ "orders.dlq": "drain" }, { "orders.dlq": "orders.dlq" });
    const breaker = { source: "rabbit", queue: "orders", service: "shop", since: at, heardAt: at, saying: 1 };
    const given = facts({
      connected: [source],
      breakers: [{ ...breaker, name: "payments", state: "open", processes: 1 }],
    });
    expect(codesOf(drawn(given).queue("orders"))).toEqual(["replay.cycle", "breaker.open"]);
    expect(drawn(given).queue("orders")?.replaysTo).toEqual([
      { queue: "orders.dlq", because: "configured" },
      { queue: "orders", because: "sent" },
    ]);
  });

  it("says of a source that is gone that it is gone, and not that nobody drains it; a demonstration's never is", () => {
    const gone = drawn(facts({ connected: [], drained: [] }));
    expect(gone.sources.map(codesOf)).toEqual([["source.gone"]]);
    expect(codesOf(gone.queue("orders"))).toEqual([]);
    expect(drawn(facts({ connected: [], drained: [], isDemo: true })).sources.map(codesOf)).toEqual([[]]);
  });

  it("lists what is looked after though nothing came from it", () => {
    const given = facts({ connected: [connected({ "orders.dlq": "drain", "wages.dlq": "observe" })] });
    expect(drawn(given).sources[0]?.quiet).toEqual([{ name: "wages.dlq", fate: "observed" }]);
    expect(drawn({ ...given, unexplored: 1 }).sources[0]?.quiet, "who knows").toEqual([]);
  });
});

describe("a topology of more queues than there is room for", () => {
  it("counts for each source what is left out, also of one that none is shown of", () => {
    const away = { source: "kafka", queue: "wages", open: 0, failedLately: 0 };
    const given = facts();
    const matching = [...given.places, away];
    const { sources, ...counts } = drawTopology(given, {
      ...{ places: given.places.slice(0, 1), matching, withQuiet: () => false },
    });
    expect(sources.map(({ name, queues, leftOut }) => [name, queues.length, leftOut])).toEqual([
      ["kafka", 0, { queues: 1, open: 0 }],
      ["rabbit", 1, { queues: 2, open: 1 }],
    ]);
    expect(counts).toEqual({ shown: 1, matching: 4, unexplored: 0 });
  });
});

describe("a focus", () => {
  const names = (focus: string, hops = 1, given = facts()) =>
    byWeight(inFocus(given, { focus, source: null, hops })).map(({ queue }) => queue);

  it("is a source, a queue, a dead-letter queue or a service, and empty is all, those with most open letters first", () => {
    expect(names("")).toEqual(["orders", "mail", "audit"]);
    expect(names("rabbit")).toEqual(["orders", "mail", "audit"]);
    expect(names("rabbit/orders")).toEqual(["orders"]);
    expect(names("audit.dlq")).toEqual(["audit"]);
    expect(names("post")).toEqual(["mail"]);
    expect(names("nothing")).toEqual([]);
  });

  const quietOf = (focus: string, given = facts()) => {
    const places = inFocus(given, { focus, source: null, hops: 1 });
    const withQuiet = (name: string, queue?: string) => isQuietInFocus({ focus, source: null }, name, queue);
    const { sources } = drawTopology(given, { places, matching: places, withQuiet });
    return sources.map(({ name, quiet }) => [name, ...quiet.map((each) => each.name)]);
  };

  it("says of no dead-letter queue that it is quiet because the queue that dies into it is not drawn", () => {
    expect(quietOf("")).toEqual([["rabbit"]]);
    expect(quietOf("mail")).toEqual([["rabbit"]]);
  });

  it("is a source that no letter came from, and a dead-letter queue of it", () => {
    const empty = { ...connected({ "new.dlq": "drain", "old.dlq": "observe" }), name: "kafka-1" };
    const given = facts({ connected: [empty] });
    expect(quietOf("kafka-1", given)).toEqual([["kafka-1", "new.dlq", "old.dlq"]]);
    expect(quietOf("old.dlq", given)).toEqual([["kafka-1", "old.dlq"]]);
    expect(quietOf("kafka-1/old.dlq", given)).toEqual([["kafka-1", "old.dlq"]]);
    expect(quietOf("nothing", given)).toEqual([]);
  });

  it("goes as many steps further as asked for: a service of both, a shared dead-letter queue", () => {
    const given = facts({
      consumers: [consumer("orders", "shop", 2), consumer("audit", "shop", 1)],
      routes: ["audit", "mail"].map((queue) => ({ source: "rabbit", queue, deadLetters: ["all.dlq"], sentTo: [] })),
    });
    expect(names("orders", 0, given)).toEqual(["orders"]);
    expect(names("orders", 1, given)).toEqual(["orders", "audit"]);
    expect(names("orders", 2, given)).toEqual(["orders", "mail", "audit"]);
  });
});
