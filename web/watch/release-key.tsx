import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { quoted } from "../ui/quoted.ts";

interface ReleaseKeyProps {
  readonly place: OutputOf<"keys.list">["items"][number];
  readonly onDone: () => void;
}

/** Lets a key go on without its dead letter, which stays as it is. */
export function ReleaseKey({ place: { place, key, behind }, onDone }: ReleaseKeyProps) {
  return (
    <Act
      operation="keys.release"
      tone="danger"
      label={`Release ${key}`}
      command={(reason) => `dlo keys release ${quoted(place)} --reason ${quoted(reason || "…")}`}
      input={(reason) => ({ place, reason })}
      onDone={onDone}
    >
      <p>
        {behind === null ? "The messages" : behind === 1 ? "The message" : `The ${behind} messages`} behind it run
        without the dead one. Its letter stays as it is. Replayed after that, it runs behind the others.
      </p>
    </Act>
  );
}
