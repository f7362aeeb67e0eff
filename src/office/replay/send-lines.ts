import { isOfficeError } from "../../domain/errors.ts";
import type { SendLine } from "../../sources/send-line.ts";

/** Where the messages of a replay are sent, by source. */
export type LineTo = (source: string) => Promise<SendLine>;

/**
 * Opens each line once. One whose source was closed is forgotten, and the next who asks gets another: the source is somewhere else
 * by now, or another password lets in.
 */
export function sendLines(open: LineTo): LineTo {
  const lines = new Map<string, Promise<SendLine>>();
  return (source) => {
    const known = lines.get(source);
    if (known !== undefined) return known;
    const forget = () => {
      if (lines.get(source) === opening) lines.delete(source);
    };
    const opening = open(source).then((line) => forgottenWhenClosed(line, forget));
    lines.set(source, opening);
    // What could not be opened is tried again by the next who asks.
    opening.catch(forget);
    return opening;
  };
}

function forgottenWhenClosed(line: SendLine, forget: () => void): SendLine {
  const heard = async <Answer>(answer: Promise<Answer>) => {
    try {
      return await answer;
    } catch (error) {
      if (isClosed(error)) forget();
      throw error;
    }
  };
  return {
    sideBySide: line.sideBySide,
    note: (queue) => heard(line.note(queue)),
    send: (queue, message, intended) => heard(line.send(queue, message, intended)),
    commit: () => heard(line.commit()),
    findOut: (lost) => heard(line.findOut(lost)),
  };
}

/** For what may be asked twice: once more where the source was closed meanwhile. */
export async function askLine<Answer>(
  lineTo: LineTo,
  source: string,
  ask: (line: SendLine) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(await lineTo(source));
  } catch (error) {
    if (!isClosed(error)) throw error;
    return ask(await lineTo(source));
  }
}

/** Nothing goes by that line any more. It says nothing of where it led. */
export function isClosed(error: unknown): boolean {
  return isOfficeError(error, "TRANSPORT_CLOSED");
}
