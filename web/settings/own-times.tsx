import { type SubmitEventHandler, useEffect, useId, useState } from "react";
import { browserZone, keepTimes, knownZones, useReading, useTimeChoices } from "../app/display-zone.ts";
import { showWhole, zoneNamed } from "../ui/moment-words.ts";

/** In which zone this browser shows times, and whether lists say the moment or how long ago it was. */
export function OwnTimes() {
  const { asMoments } = useTimeChoices();
  const { zone, now } = useReading();
  return (
    <section aria-labelledby="own-times">
      <h2 id="own-times">Times</h2>
      <p>
        In the zone of this browser, unless you choose another; the key <kbd>z</kbd> and the button above turn to UTC,
        and back. This browser remembers it.
      </p>
      <ZoneForm />
      <p role="status">
        Times are in {zone}, where it is {showWhole(now, zone)}.
      </p>
      <label>
        <input type="checkbox" checked={asMoments} onChange={() => keepTimes({ asMoments: !asMoments })} />
        {" Lists say the moment itself, not how long ago it was"}
      </label>
    </section>
  );
}

function ZoneForm() {
  const { zone: chosen } = useTimeChoices();
  const id = useId();
  const [typed, setTyped] = useState(chosen ?? "");
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => setTyped(chosen ?? ""), [chosen]);
  const choose: SubmitEventHandler = (event) => {
    event.preventDefault();
    const name = typed.trim();
    const zone = zoneNamed(name);
    const isKnown = name === "" || zone !== null;
    setRefused(isKnown ? null : `There is no zone "${name}". Zones are called as Europe/Berlin is, or UTC.`);
    if (isKnown) keepTimes({ zone, isUtc: false });
  };
  return (
    <form onSubmit={choose}>
      <label className="field">
        Zone; empty for this browser's, {browserZone()}
        <input
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          list={`${id}-zones`}
          aria-invalid={refused !== null}
          aria-describedby={refused === null ? undefined : `${id}-refused`}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <datalist id={`${id}-zones`}>
        {knownZones().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
      {refused === null ? null : (
        <p id={`${id}-refused`} role="alert" className="says">
          {refused}
        </p>
      )}
      <div className="buttons">
        <button type="submit">Use this zone</button>
      </div>
    </form>
  );
}
