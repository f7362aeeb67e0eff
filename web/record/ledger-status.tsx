import { durationInWords } from "../../src/domain/duration.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Ago, Moment } from "../ui/age.tsx";
import { showBytes, showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type LedgerStatus = OutputOf<"status.ledger">;
type Table = LedgerStatus["tables"][number];

/** How large the ledger is, what leaves it next, and what waits in it. */
export function LedgerStatus({ status }: { readonly status: LedgerStatus }) {
  const { bytes, schema, freeBytes, weeks, retention, regroupingBehind, tables } = status;
  const { n, next } = weeks;
  return (
    <>
      <h2>Ledger</h2>
      <p>
        {showBytes(bytes)} · schema {schema}
        {freeBytes === null ? "" : ` · ${showBytes(freeBytes)} free on its disk`} · letters of {showCount(n)}{" "}
        {n === 1 ? "week" : "weeks"}
        {next === null ? "" : `; the week of ${next.week} may go from ${next.from.slice(0, 10)} UTC on`}
      </p>
      <Retention retention={retention} />
      <p>
        {regroupingBehind === 0
          ? "All letters follow what was merged and split."
          : `Letters still have to follow ${showCount(regroupingBehind)} ${regroupingBehind === 1 ? "merge or split" : "merges and splits"}.`}
      </p>
      <RowsTable caption="The largest tables" columns={columns} rows={tables} keyOf={({ table }) => table} />
    </>
  );
}

/** When it ran last, what that came to, and when it runs next. */
function Retention({ retention }: Pick<LedgerStatus, "retention">) {
  const { keptMs, last, nextAt, isRunning } = retention;
  return (
    <p>
      Letters are kept for {durationInWords(keptMs)}.{" "}
      {last === null ? (
        "Retention has not run yet."
      ) : (
        <>
          Retention ran last <Ago since={last.at} />: {showCount(last.expired)} expired, {showCount(last.letters)}{" "}
          removed with {showCount(last.weeks)} {last.weeks === 1 ? "week" : "weeks"}.
        </>
      )}{" "}
      {isRunning ? "It is running now." : null}
      {isRunning || nextAt === null ? null : (
        <>
          It runs next at <Moment at={nextAt} />.
        </>
      )}
    </p>
  );
}

const columns: readonly TableColumn<Table>[] = [
  { heading: "Table", kind: "name", cell: ({ table }) => table },
  { heading: "Size", kind: "number", cell: ({ bytes }) => showBytes(bytes) },
  { heading: "Growth", label: "growth", cell: ({ grew }) => growthOf(grew) },
];

function growthOf(grew: Table["grew"]): string {
  if (grew === null) return "known tomorrow";
  const sign = grew.bytes < 0 ? "−" : "+";
  return `${sign}${showBytes(Math.abs(grew.bytes))} in ${showCount(grew.overDays)} ${grew.overDays === 1 ? "day" : "days"}`;
}
