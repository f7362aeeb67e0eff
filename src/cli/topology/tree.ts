import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";

type Topology = OutputOf<"topology.get">;
type Source = Topology["sources"][number];
type Queue = Source["queues"][number];

/** A line, and what hangs below it. */
interface Branch {
  readonly text: string;
  readonly below: readonly Branch[];
}

/** Sources, their queues, and around each what comes before and after it. */
export function treeOf({ sources }: Topology, terminal: Terminal): string {
  return sources.map((source) => drawn(sourceBranch(source, terminal), terminal).join("\n")).join("\n\n");
}

function sourceBranch(source: Source, terminal: Terminal): Branch {
  const { name, broker, owner, queues, leftOut, quiet, warnings } = source;
  const about = [broker, owner].filter((each) => each !== null).map((each) => ` · ${visible(each)}`);
  return {
    text: `${terminal.paint("bold", visible(name))}${about.join("")}`,
    below: [
      ...warnings.map((warning) => warned(warning, terminal)),
      ...queues.map((queue) => queueBranch(queue, terminal)),
      ...(leftOut.queues === 0 ? [] : [leaf(terminal.paint("dim", moreQueues(leftOut)))]),
      ...quiet.map(({ name: queue, fate }) => leaf(`${visible(queue)} · ${fate}, no letters lately`)),
    ],
  };
}

/** What is there and not drawn. */
export function moreQueues({ queues, open }: Source["leftOut"]): string {
  return `${showCount(queues, "more queue")} · ${open.toLocaleString("en-US")} open`;
}

function queueBranch(queue: Queue, terminal: Terminal): Branch {
  const { name, open, failedLately, consumers, breakers, deadLetters, replaysTo, warnings } = queue;
  const lately = failedLately === 0 ? "" : ` · ${showNumber(failedLately)} failed lately`;
  return {
    text: `${terminal.paint("bold", visible(name))} · ${open.toLocaleString("en-US")} open${lately}`,
    below: [
      ...consumers.map(({ service, version, instances }) =>
        leaf(`consumed by ${visible(`${service} ${version}`)} · ${instances === 0 ? "gone" : `${instances} at work`}`),
      ),
      ...breakers.map(({ name: breaker, state }) => leaf(`breaker ${visible(breaker)} · ${state}`)),
      ...deadLetters.map(({ name: dead, fate }) => leaf(`dies into ${visible(dead)} · ${fate}`)),
      ...replaysTo.map((target) => leaf(`replays go to ${visible(target.queue)} · ${becauses[target.because]}`)),
      ...warnings.map((warning) => warned(warning, terminal)),
    ],
  };
}

const becauses = {
  origin: "where each letter failed",
  configured: "by replayTo",
  sent: "one went there lately",
} as const;

function leaf(text: string): Branch {
  return { text, below: [] };
}

function warned({ sentence }: { readonly sentence: string }, { paint }: Terminal): Branch {
  return leaf(paint("yellow", `! ${visible(sentence)}`));
}

/** Long lines go on under themselves. */
function drawn({ text, below }: Branch, terminal: Terminal): readonly string[] {
  const [fork, last, pass, gap] = terminal.unicode ? ["├─ ", "└─ ", "│  ", "   "] : ["+- ", "`- ", "|  ", "   "];
  const lines = below.flatMap((branch, index) => {
    const isLast = index === below.length - 1;
    const [first = "", ...rest] = drawn(branch, { ...terminal, columns: terminal.columns - 3 });
    return [`${isLast ? last : fork}${first}`, ...rest.map((line) => `${isLast ? gap : pass}${line}`)];
  });
  return [...(below.length === 0 ? wrap(text, terminal.columns) : [text]), ...lines];
}
