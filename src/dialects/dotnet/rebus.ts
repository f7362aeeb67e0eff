import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { dotnetError } from "../error-texts.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";

/** Rebus: the errors of all attempts in one text. Its times are written as the server's culture has it, so nobody reads them. */
export const rebus: Dialect = { id: "rebus", read };

function read(view: LetterView): Facts | null {
  const details = lastText(view, "rbs2-error-details");
  if (details === undefined && !has(view, "rbs2-source-queue")) return null;
  const queue = lastText(view, "rbs2-source-queue");
  const runs = /^(\d{1,6}) unhandled exceptions/.exec(details ?? "")?.[1];
  return {
    source: queue,
    ...errorIn(details),
    stack: details,
    attempts: runs === undefined ? undefined : Number(runs),
    attemptLog: attemptLog(attemptsIn(details, Number(runs ?? 0))),
    contentType: lastText(view, "rbs2-content-type"),
    messageId: lastText(view, "rbs2-msg-id"),
    correlationId: lastText(view, "rbs2-corr-id"),
    schema: lastText(view, "rbs2-msg-type")?.split(",")[0],
    destination: queue,
    strip: namesLike(view, /^rbs2-(error-details|source-queue|deferred-until|defer-recipient)$/),
  };
}

/** After the count and the time stands what .NET prints of an exception: a name with a dot in it, a colon, the text. */
function errorIn(details: string | undefined): Facts {
  const found = /(?:^|: )([A-Za-z_][\w+`]*(?:\.[\w+`]+)+: )/.exec(details?.slice(0, 4_096) ?? "");
  if (found?.[1] === undefined || details === undefined) return {};
  return dotnetError(details.slice(found.index + found[0].length - found[1].length));
}

/** Each begins a line with its time; where there is not one for each run, nobody knows which runs they are of. */
function attemptsIn(details: string | undefined, runs: number): readonly AttemptFacts[] {
  const begins = /^(?:\d{1,6} unhandled exceptions: )?\d[^\n]{7,39}?: (?=[A-Za-z_][\w+`]*(?:\.[\w+`]+)+: )/gm;
  const texts = details?.slice(0, 65_536).split(begins).slice(1) ?? [];
  return texts.map((text, index) => {
    const { errorClass, errorMessage } = dotnetError(text);
    return { ...(texts.length === runs && { n: index + 1 }), errorClass, errorMessage };
  });
}
