import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { quoted } from "../ui/quoted.ts";

type Breaker = OutputOf<"breakers.list">["items"][number];

interface SteerBreakerProps {
  readonly breaker: Breaker;
  readonly onChange: () => void;
}

/** What may be done to a breaker by hand: to that of its row's source, for another one may have the name. Whether its state is shared is found when it is asked for, and refused with the way out. */
export function SteerBreaker({ breaker, onChange }: SteerBreakerProps) {
  return (
    <div className="buttons">
      {breaker.state === "open" ? (
        <>
          <LetThrough operation="breakers.probe" verb="probe" label="Probe now" breaker={breaker} onChange={onChange} />
          <LetThrough
            operation="breakers.release"
            verb="release"
            label="Release"
            breaker={breaker}
            onChange={onChange}
          />
        </>
      ) : (
        <ForceOpen breaker={breaker} onChange={onChange} />
      )}
    </div>
  );
}

const minutes = [5, 30, 60, 240, 1_440];

function ForceOpen({ breaker: { name, source, queue }, onChange }: SteerBreakerProps) {
  const [chosen, setChosen] = useState(30);
  return (
    <Act
      operation="breakers.force"
      tone="danger"
      label={`Force ${name} open`}
      command={(reason) =>
        `dlo breakers force-open ${quoted(name)} --store ${quoted(source)} --for ${chosen}m --reason ${quoted(reason || "…")}`
      }
      input={(reason) => ({ name, store: source, forSeconds: chosen * 60, reason })}
      onDone={onChange}
    >
      <p>
        All consumers that share it in {source}, of {queue} and of others, let nothing through until it is over or
        released. It ends by itself.
      </p>
      <label className="field">
        For how long
        <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
          {minutes.map((each) => (
            <option key={each} value={each}>
              {each < 60 ? `${each} minutes` : `${each / 60} h`}
            </option>
          ))}
        </select>
      </label>
    </Act>
  );
}

interface LetThroughProps extends SteerBreakerProps {
  readonly operation: "breakers.probe" | "breakers.release";
  readonly verb: string;
  readonly label: string;
}

function LetThrough({ operation, verb, label, breaker: { name, source }, onChange }: LetThroughProps) {
  return (
    <Act
      operation={operation}
      label={`${label}: ${name}`}
      reason="optional"
      command={(reason) =>
        `dlo breakers ${verb} ${quoted(name)} --store ${quoted(source)}${reason === "" ? "" : ` --reason ${quoted(reason)}`}`
      }
      input={(reason) => ({ name, store: source, reason })}
      onDone={onChange}
    >
      <p>
        {verb === "release"
          ? "Ends what somebody forced open. Single messages go through at once, and what becomes of them closes it or opens it again."
          : "A single message goes through at once as a trial, before the time is over. What becomes of it decides."}
      </p>
    </Act>
  );
}
