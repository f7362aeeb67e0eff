import type { OutputOf } from "../../src/office/operations/operations.ts";
import { CommandLine } from "../ui/command-line.tsx";

type Rights = OutputOf<"sources.guides">["items"][number]["rights"];

interface LeastRightsProps {
  readonly rights: Rights;
  /** Something was refused: then this is what somebody looks for. */
  readonly isOpen: boolean;
}

/** The least the account must be allowed, each with what to paste. */
export function LeastRights({ rights, isOpen }: LeastRightsProps) {
  return (
    <details open={isOpen} className="card">
      <summary>The least rights it takes</summary>
      {rights.map(({ to, needs, remedy }) => (
        <div key={to}>
          <p>
            To <b>{to}</b>: {needs}
          </p>
          <CommandLine command={remedy} />
        </div>
      ))}
    </details>
  );
}
