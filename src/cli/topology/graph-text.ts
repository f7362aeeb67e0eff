import type { OutputOf } from "../../http/client.ts";
import { visible } from "../terminal/text.ts";
import { moreQueues } from "./tree.ts";

type Topology = OutputOf<"topology.get">;

interface GraphNode {
  readonly id: string;
  readonly kind: "queue" | "service" | "dead letters" | "ledger" | "left out";
  readonly label: readonly string[];
}

interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly isReplay: boolean;
}

interface Graph {
  /** In the order in which they were met, so that the same topology is the same text. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Nodes get numbers for ids: what queues are called may be anything. */
class GraphMaker {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();

  node(kind: GraphNode["kind"], name: string, label: readonly string[]): string {
    const key = `${kind} ${name}`;
    const known = this.#nodes.get(key) ?? { id: `n${this.#nodes.size + 1}`, kind, label: label.map(visible) };
    this.#nodes.set(key, known);
    return known.id;
  }

  edge(from: string, to: string, { label = "", isReplay = false } = {}): void {
    this.#edges.set(`${from} ${to} ${label}`, { from, to, label: visible(label), isReplay });
  }

  graph(): Graph {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }
}

function graphOf({ sources }: Topology): Graph {
  const maker = new GraphMaker();
  const ledger = maker.node("ledger", "", ["ledger"]);
  for (const { name: source, queues, leftOut } of sources) {
    for (const { name, open, consumers, breakers, deadLetters, replaysTo } of queues) {
      const queue = maker.node("queue", `${source}/${name}`, [
        `${source}/${name}`,
        `${open.toLocaleString("en-US")} open`,
      ]);
      const tripped = breakers.filter(({ state }) => state !== "closed").map((each) => `${each.name} ${each.state}`);
      const services = consumers.map(({ service }) => maker.node("service", service, [service]));
      for (const service of services) maker.edge(queue, service, { label: tripped.join(", ") });
      for (const { name: dead, fate } of deadLetters) {
        const letters = maker.node("dead letters", `${source}/${dead}`, [`${source}/${dead}`, fate]);
        for (const from of services.length === 0 ? [queue] : services) maker.edge(from, letters);
        if (fate === "drained" || fate === "read in place") maker.edge(letters, ledger);
      }
      for (const { queue: target } of replaysTo)
        maker.edge(ledger, maker.node("queue", `${source}/${target}`, [`${source}/${target}`]), { isReplay: true });
    }
    if (leftOut.queues > 0) maker.node("left out", source, [source, moreQueues(leftOut)]);
  }
  return maker.graph();
}

const dotShapes = {
  queue: "box",
  service: "ellipse",
  "dead letters": "folder",
  ledger: "cylinder",
  "left out": "plaintext",
} as const;

/** For Graphviz. */
export function dotOf(topology: Topology): string {
  const { nodes, edges } = graphOf(topology);
  const quoted = (...lines: readonly string[]) =>
    `"${lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"', '\\"')).join("\\n")}"`;
  return [
    "digraph office {",
    "  rankdir=LR;",
    ...nodes.map(({ id, kind, label }) => `  ${id} [shape=${dotShapes[kind]}, label=${quoted(...label)}];`),
    ...edges.map(({ from, to, label, isReplay }) => {
      const facts = [
        ...(isReplay ? ["style=dashed", "constraint=false"] : []),
        ...(label === "" ? [] : [`label=${quoted(label)}`]),
      ];
      return `  ${from} -> ${to}${facts.length === 0 ? "" : ` [${facts.join(", ")}]`};`;
    }),
    "}",
  ].join("\n");
}

const mermaidShapes = {
  queue: ["[", "]"],
  service: ["([", "])"],
  "dead letters": ["[/", "/]"],
  ledger: ["[(", ")]"],
  "left out": ["[", "]"],
} as const;

/** For pages that draw Mermaid. */
export function mermaidOf(topology: Topology): string {
  const { nodes, edges } = graphOf(topology);
  return [
    "flowchart LR",
    ...nodes.map(({ id, kind, label }) => {
      const [opening, closing] = mermaidShapes[kind];
      return `  ${id}${opening}"${label.map(mermaidText).join("<br>")}"${closing}`;
    }),
    ...edges.map(({ from, to, label, isReplay }) => {
      const arrow = isReplay ? "-.->" : "-->";
      return `  ${from} ${arrow}${label === "" ? "" : `|"${mermaidText(label)}"|`} ${to}`;
    }),
  ].join("\n");
}

/** It reads HTML and has entities of its own: nothing but plain characters goes through as it is. */
function mermaidText(text: string): string {
  return text.replaceAll(/[^\w\s./:,·-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
