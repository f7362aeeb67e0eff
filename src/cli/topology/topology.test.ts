import { describe, expect, it } from "vitest";
import { terminalOf } from "../terminal/terminal.ts";
import { dotOf, mermaidOf } from "./graph-text.ts";
import { treeOf } from "./tree.ts";

const topology: Parameters<typeof treeOf>[0] = {
  ...{ shown: 1, matching: 441, unexplored: 0 },
  sources: [
    {
      ...{ name: "rabbit", broker: "rabbitmq", owner: null, warnings: [], leftOut: { queues: 440, open: 8_901 } },
      queues: [
        {
          ...{ name: 'orders"]', open: 1_204, failedLately: 41 },
          consumers: [{ service: "shop", version: "2.14.3", instances: 6 }],
          breakers: [{ name: "payments", state: "open" }],
          deadLetters: [{ name: "orders.dlq", fate: "drained" }],
          replaysTo: [{ queue: 'orders"]', because: "origin" }],
          warnings: [{ code: "breaker.open", sentence: "Breaker payments is open." }],
        },
      ],
      quiet: [{ name: "mail.dlq", fate: "observed" }],
    },
  ],
};

describe("dlo topology", () => {
  it("draws a tree of sources, queues and what is around each", () => {
    const paper = terminalOf({ write() {}, columns: 60 }, { LANG: "C.UTF-8" });
    expect(`\n${treeOf(topology, paper)}\n`).toMatchInlineSnapshot(`
      "
      rabbit · rabbitmq
      ├─ orders"] · 1,204 open · 41 failed lately
      │  ├─ consumed by shop 2.14.3 · 6 at work
      │  ├─ breaker payments · open
      │  ├─ dies into orders.dlq · drained
      │  ├─ replays go to orders"] · where each letter failed
      │  └─ ! Breaker payments is open.
      ├─ 440 more queues · 8,901 open
      └─ mail.dlq · observed, no letters lately
      "
    `);
  });

  it("writes Graphviz and Mermaid that no queue's name can break out of", () => {
    expect(`\n${dotOf(topology)}\n`).toMatchInlineSnapshot(`
      "
      digraph office {
        rankdir=LR;
        n1 [shape=cylinder, label="ledger"];
        n2 [shape=box, label="rabbit/orders\\"]\\n1,204 open"];
        n3 [shape=ellipse, label="shop"];
        n4 [shape=folder, label="rabbit/orders.dlq\\ndrained"];
        n5 [shape=plaintext, label="rabbit\\n440 more queues · 8,901 open"];
        n2 -> n3 [label="payments open"];
        n3 -> n4;
        n4 -> n1;
        n1 -> n2 [style=dashed, constraint=false];
      }
      "
    `);
    expect(`\n${mermaidOf(topology)}\n`).toMatchInlineSnapshot(`
      "
      flowchart LR
        n1[("ledger")]
        n2["rabbit/orders#34;#93;<br>1,204 open"]
        n3(["shop"])
        n4[/"rabbit/orders.dlq<br>drained"/]
        n5["rabbit<br>440 more queues · 8,901 open"]
        n2 -->|"payments open"| n3
        n3 --> n4
        n4 --> n1
        n1 -.-> n2
      "
    `);
  });
});
