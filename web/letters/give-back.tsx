import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { quoted } from "../ui/quoted.ts";

interface GiveBackProps {
  readonly ids: readonly string[];
  /** The letters as the command line names them. */
  readonly named: string;
  readonly onDone: () => void;
}

/** Back to the queue they were drained from. Those that did not get there stay selected, with what is known of them. */
export function GiveBack({ ids, named, onDone }: GiveBackProps) {
  const [says, setSays] = useState<string | null>(null);
  return (
    <>
      <Act
        operation="letters.giveBack"
        label={`Give back ${showLetters(ids.length)}`}
        command={(why) => `dlo letters give-back ${named} --reason ${quoted(why || "…")}`}
        input={(reason) => ({ letters: [...ids], reason, expectCount: ids.length })}
        onDone={(answer) => {
          const trouble = troubleIn(answer);
          setSays(trouble);
          if (trouble === null) onDone();
        }}
      >
        <p>
          Open letters are sent to the dead-letter queue they were drained from, as they came. What is in that queue is
          the office's again only when somebody drains it. Keys that wait for these letters go on waiting: release them
          on the page Blocked keys.
        </p>
      </Act>
      {says === null ? null : (
        <span role="status" className="says">
          {says}
        </span>
      )}
    </>
  );
}

/** What did not get there, in a sentence; null where all did. */
function troubleIn({ letters, unsent, inDoubt }: OutputOf<"letters.giveBack">): string | null {
  const [first] = [...inDoubt, ...unsent];
  if (first === undefined) return null;
  const settle =
    inDoubt.length === 0 ? "" : " Look for those in doubt in their queue, then `dlo letters give-back ID --settle`.";
  return `${showLetters(letters)} given back, ${unsent.length} as they were, ${inDoubt.length} in doubt: ${first.why}${settle}`;
}
