import type { Ref } from "react";

const keys = [
  ["j, k", "next and previous row"],
  ["Enter", "open the row"],
  ["x", "select the row"],
  ["u", "show what came meanwhile"],
  ["Shift L", "pause, and go on"],
  ["/", "search letters"],
  ["Ctrl K", "to any page, any id, or what this page offers"],
  ["g i", "inbox"],
  ["g m", "letters"],
  ["r", "to the plan of a group or selection"],
  ["d", "to what may be decided instead"],
  ["c", "say what a group or selection is"],
  ["e, h", "acknowledge a group, snooze it"],
  ["a, n", "assign a group, add a note"],
  ["g r", "replays"],
  ["g a", "approvals"],
  ["g q", "queues"],
  ["g b", "breakers"],
  ["g c", "consumers"],
  ["g l", "alerts"],
  ["g p", "policies"],
  ["g s", "simulator"],
  ["g n", "insights"],
  ["g u", "audit"],
  ["g t", "topology"],
  ["g h", "status: the office's own health"],
  ["Esc", "close"],
];

export function KeysDialog({ ref }: { readonly ref: Ref<HTMLDialogElement> }) {
  return (
    <dialog ref={ref} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
