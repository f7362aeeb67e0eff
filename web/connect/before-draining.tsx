import type { OutputOf } from "../../src/office/operations/operations.ts";
import { showBytes, showCount } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";

type Seen = OutputOf<"sources.look">;

interface BeforeDrainingProps {
  readonly seen: Seen;
  readonly drained: Seen["queues"];
}

/** Indexes and the record of what is done take as much again. */
const roomFactor = 2;

/** What it comes to, and what it changes, before somebody agrees. */
export function BeforeDraining({ seen, drained }: BeforeDrainingProps) {
  if (drained.length === 0)
    return <p>Choose what is to be drained. Until then letters stay where they are, and only their number is known.</p>;
  const bytes = sumOf(drained.map((each) => each.bytes));
  const isTight = bytes !== null && seen.freeBytes !== null && bytes * roomFactor > seen.freeBytes;
  const shared = drained.filter(({ consumers }) => (consumers?.length ?? 0) > 0);
  return (
    <>
      <dl className="facts">
        <Fact name="To be drained">{showOr(sumOf(drained.map(({ depth }) => depth)), showCount)} letters</Fact>
        <Fact name="Their size">{showOr(bytes, showBytes)}</Fact>
        <Fact name="Free where the ledger is">
          {seen.freeBytes === null ? "its server knows" : showBytes(seen.freeBytes)}
        </Fact>
      </dl>
      <p>{seen.draining}</p>
      {seen.isEmbedded ? (
        <p>
          The ledger is embedded: what it has taken survives a crash of the office, and not a power cut.{" "}
          <code>dlo up --database URL</code> keeps it in a PostgreSQL.
        </p>
      ) : null}
      {isTight ? (
        <p role="alert" className="trouble">
          That is not enough room: it takes about {roomFactor} times their size. Make room, or drain one queue first.
        </p>
      ) : null}
      {shared.map(({ queue, consumers }) => (
        <p key={queue} className="risk">
          {consumers?.join(" and ")} already takes from {queue}: each letter goes to one of you, and the office gets a
          part.
        </p>
      ))}
    </>
  );
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}

function showOr(n: number | null, show: (n: number) => string): string {
  return n === null ? "not told" : show(n);
}
