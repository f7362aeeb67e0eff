import type { ReactNode } from "react";
import { pastTtl } from "../../src/domain/past-ttl.ts";
import { useReading, useTimeChoices } from "../app/display-zone.ts";
import {
  isFar,
  type Reading,
  showDate,
  showElapsed,
  showInColumn,
  showMoment,
  showWhen,
  showWhole,
} from "./moment-words.ts";

interface Since {
  readonly since: string | null;
}

/** In a list: how long ago, from a day on the date. Settings turn it into the moment itself. */
export function Age({ since }: Since) {
  const { asMoments } = useTimeChoices();
  return <Time at={since} say={asMoments ? showMoment : showWhen} />;
}

/** In a list whose column is about age: how old it is, in days too. Settings turn it into the moment itself. */
export function HowOld({ since }: Since) {
  const { asMoments } = useTimeChoices();
  return <Time at={since} say={asMoments ? showMoment : showElapsed} />;
}

/** How long it has been so by now: `for 3d`. */
export function Lasting({ since }: Since) {
  return <Time at={since} say={showElapsed} />;
}

/** In a sentence: `38m ago (14:04 UTC+1)`, so that nobody has to hover; from a day on the moment alone. */
export function Ago({ since }: Since) {
  return <Time at={since} say={showAgo} />;
}

/** That its own time to live is over: `expired 3 h ago`; nothing while it is not. */
export function PastTtl({ expiresAt }: { readonly expiresAt: string | null }) {
  const past = pastTtl(expiresAt, useReading().now);
  if (past === null || expiresAt === null) return null;
  return (
    <span className="state warn">
      <Time at={expiresAt} say={() => past} />
    </span>
  );
}

function showAgo(at: number, reading: Reading): string {
  const moment = showMoment(at, reading);
  return isFar(at, reading) ? moment : `${showElapsed(at, reading)} ago (${moment})`;
}

interface MomentProps {
  readonly at: string | null;
  /** @default "minute" */
  readonly to?: "minute" | "second";
}

/** The moment itself: `14:04 UTC+1`, from a day on with its date. */
export function Moment({ at, to = "minute" }: MomentProps) {
  return <Time at={at} say={(ms, reading) => showMoment(ms, reading, to)} />;
}

/** The day is enough. */
export function OnDate({ at }: Pick<MomentProps, "at">) {
  return <Time at={at} say={(ms, { zone }) => showDate(ms, zone)} />;
}

/** Date and time, below or beside something that names the zone. */
export function MomentInColumn({ at }: Pick<MomentProps, "at">) {
  return <Time at={at} say={(ms, { zone }) => showInColumn(ms, zone)} />;
}

/** The zone of the moments below. */
export function ZoneLabel() {
  return <span className="muted">({useReading().zone})</span>;
}

interface TimeProps {
  readonly at: string | null;
  say(at: number, reading: Reading): ReactNode;
}

/** For machines always in UTC; the whole of it on hover. */
function Time({ at, say }: TimeProps) {
  const reading = useReading();
  if (at === null) return <>–</>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={showWhole(ms, reading.zone)}>
      {say(ms, reading)}
    </time>
  );
}
