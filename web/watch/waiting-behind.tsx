import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { ReleaseKey } from "./release-key.tsx";

type Place = OutputOf<"keys.get">["items"][number];

interface WaitingBehindLetterProps {
  readonly letter: OutputOf<"letters.get">;
  readonly onChange: () => void;
}

/** What waits for a letter of an ordered key; nothing for all other letters. */
export function WaitingBehindLetter({ letter: { id, orderKey }, onChange }: WaitingBehindLetterProps) {
  return orderKey === null ? null : <BehindLetter id={id} onChange={onChange} />;
}

function BehindLetter({ id, onChange }: { readonly id: string; readonly onChange: () => void }) {
  // An ordering key alone is no place: a consumer that keeps no order gave it none, and then there is no answer.
  const { data, reload } = useAnswer("keys.get", { place: id }, 10_000);
  if (data === null) return null;
  const done = () => {
    reload();
    onChange();
  };
  const silent = new Set(data.unchecked.map(({ source }) => source));
  return (
    <section aria-labelledby="behind" className="actions">
      <h2 id="behind">Order</h2>
      {data.items.map((place) => (
        <div key={place.place}>
          <p>{saidOf(place, silent.has(place.source))}</p>
          {place.state === "dead" && place.release?.state !== "pending" ? (
            <div className="buttons">
              <ReleaseKey place={place} onDone={done} />
            </div>
          ) : null}
        </div>
      ))}
      <SilentSources sources={data.unchecked} />
    </section>
  );
}

function saidOf({ state, behind, release, key }: Place, isUnknown: boolean): string {
  if (release?.state === "pending" && release.trouble !== null)
    return `Its place in the sequence of ${key} could not be released yet: ${release.trouble}`;
  if (state === "dead") return `${messages(behind ?? 0)} behind this letter, by the key ${key}.`;
  if (state !== null) return `Its message is ${state}: ${messages(behind ?? 0)} behind it, by the key ${key}.`;
  if (release !== null) return `Its place in the sequence of ${key}: ${releaseWords(release)}.`;
  return isUnknown ? `It has a place in the sequence of ${key}.` : `Its place in the sequence of ${key} is gone.`;
}

function messages(n: number): string {
  if (n === 0) return "No message waits";
  return n === 1 ? "1 message waits" : `${showCount(n)} messages wait`;
}

const releases = {
  pending: "being released",
  released: "released",
  gone: "not in its store",
  sent: "release asked of its consumer",
  alive: "was not dead",
  elsewhere: "released elsewhere",
} as const;

export function releaseWords({ state }: NonNullable<Place["release"]>): string {
  return releases[state];
}

/** What waits for the letters of a group; nothing where nothing does. */
export function WaitingBehindGroup({ id }: { readonly id: string }) {
  const { data } = useAnswer("keys.behind", { id }, 10_000);
  if (data === null || (data.behind === 0 && data.unchecked.length === 0)) return null;
  const { behind, keys, isAtLeast, unchecked } = data;
  return (
    <>
      {behind === 0 ? null : (
        <p role="status">
          {isAtLeast ? "At least " : ""}
          {messages(behind)} behind its letters, of{" "}
          <Link to={pages.keys()}>{keys === 1 ? "1 key" : `${keys} keys`}</Link>.
        </p>
      )}
      <SilentSources sources={unchecked} />
    </>
  );
}

/** Sources whose keys could not be asked for: what is shown of them is what the server knows by itself. */
export function SilentSources({ sources }: { readonly sources: OutputOf<"keys.list">["unchecked"] }) {
  return (
    <>
      {sources.map(({ source, why }) => (
        <p key={source} className="muted">
          Not checked in {source}: {why}
        </p>
      ))}
    </>
  );
}
