/** Clocks that differ by less agree well enough: nobody reads more from an age. */
const leastSkewMs = 2_000;
/** An answer says in which second it was written. */
const secondMs = 1_000;

/** How much later it is at the office than here, at least and at most, in milliseconds. */
interface Skew {
  readonly least: number;
  readonly most: number;
}

interface Heard {
  /** Of an answer's head: when the office wrote it, as HTTP writes dates. */
  readonly date: string | null;
  /** When it was asked for and when it was there, by the clock here. */
  readonly sentAt: number;
  readonly heardAt: number;
}

export interface OfficeClock {
  hear(heard: Heard): void;
  /** What time it is at the office. */
  now(): number;
  /** What it was at the office when the clock here showed this. */
  at(here: number): number;
}

/** Whoever asks on a laptop whose clock is off wants to know how old a letter is, not how wrong their clock is. */
export function officeClock(now: () => number): OfficeClock {
  let known: Skew | null = null;
  const at = (here: number) => here + (known === null ? 0 : skewIn(known));
  return {
    hear({ date, sentAt, heardAt }) {
      const writtenAt = Date.parse(date ?? "");
      if (Number.isNaN(writtenAt) || heardAt < sentAt) return;
      known = narrowed(known, { least: writtenAt - heardAt, most: writtenAt + secondMs - sentAt });
    },
    now: () => at(now()),
    at,
  };
}

/** Each answer knows a little; one that contradicts what was known follows on a clock that was set. */
function narrowed(known: Skew | null, heard: Skew): Skew {
  if (known === null) return heard;
  const both = { least: Math.max(known.least, heard.least), most: Math.min(known.most, heard.most) };
  return both.least <= both.most ? both : heard;
}

function skewIn({ least, most }: Skew): number {
  if (least <= 0 && most >= 0) return 0;
  const skew = Math.round((least + most) / 2);
  return Math.abs(skew) < leastSkewMs ? 0 : skew;
}

const clock = officeClock(() => Date.now());

/** What time it is at the office, as far as its answers tell. */
export const officeNow = () => clock.now();

/** The office's time for a moment that the clock here showed. */
export const atOffice = (here: number) => clock.at(here);

/** As `fetch`; each answer says what time it is at the office. */
export async function fetchAndHear(...asked: Parameters<typeof fetch>): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(...asked);
  clock.hear({ date: response.headers.get("date"), sentAt, heardAt: Date.now() });
  return response;
}
