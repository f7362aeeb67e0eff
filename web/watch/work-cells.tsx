import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Ago } from "../ui/age.tsx";
import type { TableColumn } from "../ui/rows-table.tsx";

type Status = OutputOf<"status.get">;
type Process = Status["processes"][number];
type Work = Pick<Status["drains"][number], "process" | "trouble" | "lastTrouble">;

/** What troubles it, or what did last: that is over, and may explain what one finds now. */
export function TroubleOf({ work: { trouble, lastTrouble } }: { readonly work: Work }) {
  if (trouble !== null) return trouble;
  if (lastTrouble === null) return "none";
  return (
    <>
      none now; <Ago since={lastTrouble.at} />: {lastTrouble.text}
    </>
  );
}

/** By the machine and its number there; by its id where those are not shown. */
export function ProcessName({ process: { id, host } }: { readonly process: Pick<Process, "id" | "host"> }) {
  return <code>{host === "" ? id.slice(0, 13) : host}</code>;
}

/** Which of the processes does it. */
export function doneBy(processes: readonly Process[]): TableColumn<Work> {
  return {
    heading: "By",
    label: "by",
    cell: ({ process }) => {
      const found = processes.find(({ id }) => id === process);
      return found === undefined ? "this process" : <ProcessName process={found} />;
    },
  };
}
