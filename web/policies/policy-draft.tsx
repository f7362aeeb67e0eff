import { useEffect, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask, type Refused } from "../app/office.ts";
import { refusedBy } from "../app/refused-by.ts";
import { inWords, showCount, showLetters } from "../ui/counts.ts";

type Diff = OutputOf<"policy.diff">;
type Effect = OutputOf<"policy.preview">;

/** What a text would change, and which open letters it would move. Nothing is changed by looking. */
export function PolicyDraft({ text }: { readonly text: string }) {
  const [found, setFound] = useState<{ readonly diff: Diff; readonly effect: Effect } | Refused | null>(null);
  useEffect(() => {
    Promise.all([ask("policy.diff", { text }), ask("policy.preview", { text })]).then(
      ([diff, effect]) => setFound({ diff, effect }),
      (error: unknown) => setFound(refusedBy(error)),
    );
  }, [text]);
  if (found === null) return <p role="status">Comparing…</p>;
  if ("message" in found)
    return (
      <p role="alert" className="trouble">
        {found.message} {found.hint}
      </p>
    );
  return (
    <div role="status">
      <Changes diff={found.diff} />
      <Effects effect={found.effect} />
    </div>
  );
}

function Changes({ diff: { isSame, changes } }: { readonly diff: Diff }) {
  const { rules, protocols, overrides, tokens } = changes;
  const lines = [
    ...protocols.map(({ category, key, from, to }) => `${inWords(category)}: ${key} from ${from} to ${to}`),
    ...rules.added.map((name) => `rule ${name} is new`),
    ...rules.removed.map((name) => `rule ${name} is gone`),
    ...rules.changed.map((name) => `rule ${name} is another`),
    ...(rules.reordered ? ["rules are in another order"] : []),
    ...overrides.added.map((name) => `override ${name} is new`),
    ...overrides.removed.map((name) => `override ${name} is gone`),
    ...tokens.map(({ key, from, to }) => `tokens: ${key} from ${from} to ${to}`),
  ];
  return (
    <>
      <h3>What it changes</h3>
      {isSame || lines.length === 0 ? <p>Nothing: it says the same.</p> : <Lines lines={lines} />}
    </>
  );
}

type Standing = Effect["replay"][number]["from"];

const goesNow: Readonly<Record<Standing, string>> = {
  bulk: "may go back in bulk",
  single: "may go back one at a time",
  never: "never go back",
  denied: "are forbidden to go back",
};

const wouldGo: Readonly<Record<Standing, string>> = {
  bulk: "might go back in bulk",
  single: "might go back one at a time only",
  never: "would never go back",
  denied: "would be forbidden to go back",
};

function Effects({ effect: { letters, moves, replay } }: { readonly effect: Effect }) {
  const lines = [
    ...moves.map(
      ({ from, to, n }) => `${showLetters(n)} would be sorted as ${inWords(to)}, no longer ${inWords(from)}`,
    ),
    ...replay.map(({ from, to, n }) => `${showLetters(n)} that ${goesNow[from]} ${wouldGo[to]}`),
  ];
  return (
    <>
      <h3>What it does to the {showCount(letters)} open letters</h3>
      {lines.length === 0 ? <p>None of them would be sorted or sent otherwise.</p> : <Lines lines={lines} />}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
