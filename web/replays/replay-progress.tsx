import { showRemaining } from "../../src/domain/duration.ts";
import { showCount as countOf } from "../../src/domain/show-count.ts";
import { useReading } from "../app/display-zone.ts";
import { pages } from "../app/routes.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { type Reading, showMoment } from "../ui/moment-words.ts";
import { PartsBar } from "../ui/parts-bar.tsx";
import { outcomeParts, type Replay } from "./replay-words.ts";

/** What was sent and what became of it. "Sent" is never called done. */
export function ReplayProgress({ replay }: { readonly replay: Replay }) {
  const { counts, haltedBy, waitsFor } = replay;
  const reading = useReading();
  return (
    <section aria-labelledby="progress">
      <h2 id="progress">What became of it</h2>
      {haltedBy === null ? null : (
        <div role="alert" className="trouble">
          <p>
            Halted by its guard on {haltedBy.guard}. {haltedBy.sentence}
          </p>
        </div>
      )}
      {waitsFor === null ? null : (
        <p role="status">
          Waits since {showMoment(Date.parse(waitsFor.since), reading)}: {waitsFor.why}. It goes on when the broker
          answers, and halts after 15 minutes.
        </p>
      )}
      <p className="figure" role="status">
        {sentence(replay, reading)}
      </p>
      <PaceLine replay={replay} />
      <ArrivalsLine replay={replay} />
      <PartsBar parts={outcomeParts(replay)} label={countOf(counts.selected, "letter")} />
      <Ramp replay={replay} />
      <Returns replay={replay} />
    </section>
  );
}

function sentence({ counts, limits, state, settlesAt }: Replay, reading: Reading): string {
  const share = counts.sent === 0 ? 0 : (100 * counts.returned) / counts.sent;
  const returned = `${share.toFixed(1)} % returned (stops above ${limits.haltReturns * 100} %)`;
  const going = counts.sent + counts.notYetSent + counts.inDoubt;
  const until =
    state === "settling" && settlesAt !== null ? ` Settles until ${timeOf(Date.parse(settlesAt), reading)}.` : "";
  return `${showCount(counts.sent)} of ${showCount(going)} sent · ${showCount(counts.confirmed)} confirmed · ${returned}.${until}`;
}

function timeOf(at: number, reading: Reading): string {
  return showMoment(at, reading, "second");
}

/** At most, since a step whose outcomes are all known does not wait for its time to be over. */
function PaceLine({ replay: { pace } }: { readonly replay: Replay }) {
  const reading = useReading();
  if (pace === null) return null;
  return (
    <p className="figure">
      {pace.perSecond.toFixed(1)} a second of late · at most {showRemaining(pace.remainingS * 1_000)} to go, until{" "}
      {timeOf(reading.now + pace.remainingS * 1_000, reading)}
    </p>
  );
}

/** Whether what failed still fails: apart from what this replay sent itself. */
function ArrivalsLine({ replay: { arrivals, endedAt } }: { readonly replay: Replay }) {
  if (arrivals === null) return null;
  const { n, isAtLeast, q } = arrivals;
  const shown = `${isAtLeast ? "more than " : ""}${showCount(n)}`;
  return (
    <p className="figure">
      New arrivals in these groups {endedAt === null ? "since start" : "while it ran"}:{" "}
      {n === 0 ? "0" : <Link to={pages.letters(q)}>{shown}</Link>}
    </p>
  );
}

function Ramp({ replay: { steps, state } }: { readonly replay: Replay }) {
  if (steps.length === 0) return null;
  const current = steps.filter(({ isBegun }) => isBegun).length;
  return (
    <ol className="ramp" aria-label="Steps of the ramp">
      {steps.map(({ upTo, isBegun }, index) => (
        <li key={upTo} className={isBegun ? "done" : undefined}>
          {index + 1 === current && (state === "running" || state === "settling") ? "now " : ""}
          up to {showCount(upTo)}
        </li>
      ))}
    </ol>
  );
}

function Returns({ replay: { id, returns, counts } }: { readonly replay: Replay }) {
  if (returns.length === 0) return null;
  const q = `run:${id} is:returned`;
  return (
    <div className="came-back">
      <h3>Came back</h3>
      <ul>
        {returns.map(({ was, became, n }) => (
          <li key={`${was}/${became}`}>
            {showLetters(n)}: <CategoryChip category={was} />
            {was === became ? " again" : <> became {<CategoryChip category={became} />}</>}
          </li>
        ))}
      </ul>
      <p>
        <Link to={pages.letters(q)}>Look at {showLetters(counts.returned)} that came back</Link> ·{" "}
        <Link to={pages.plan({ q })}>Plan those again</Link> · <Link to={pages.insights()}>was and became</Link>
      </p>
    </div>
  );
}
