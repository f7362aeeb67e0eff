import { readDeadLetter } from "../src/dialects/read-dead-letter.ts";
import type { DeadLetter } from "../src/domain/dead-letter.ts";
import { type Header, makeMessage } from "../src/domain/message.ts";
import { wire } from "../src/domain/wire.ts";
import { outgoingMessage } from "../src/office/replay/outgoing-message.ts";
import type { BareMessage } from "./bare/bare-client.ts";
import { benchLetter } from "./ledger-letters.ts";

const error = {
  class: "FetchError",
  message: "request to stock failed, reason: connect ECONNREFUSED 10.0.3.7:8443",
  code: "ECONNREFUSED",
  stack: Array.from({ length: 8 }, (_, at) => `    at stock.step${at} (/app/src/stock/handler${at}.js:${at}:15)`).join(
    "\n",
  ),
};

/** A dead letter of that queue which may be sent back: nobody was reached, so nothing can have happened. */
export function refusedLetter(n: number, queue: string): DeadLetter {
  const letter = benchLetter(n);
  const ours = { [wire.queue]: queue, [wire.category]: "transient", [wire.error]: JSON.stringify(error) };
  const kept = letter.message.headers.flatMap(({ name, value }) =>
    value.type === "text" && !(name in ours) ? [[name, value.value] as const] : [],
  );
  const message = makeMessage({ body: letter.message.body, headers: { ...Object.fromEntries(kept), ...ours } });
  return { ...letter, queue: `${queue}.dlq`, message };
}

/** The messages a replay makes of those letters, as a bare client takes them: without the marks of their failure. */
export function readyMessages(count: number, queue: string): BareMessage[] {
  return Array.from({ length: count }, (_, n) => {
    const letter = refusedLetter(n, queue);
    const names = { letter: "ltr_01kc0000000000000000000000", replay: `rpl_01kc0000000000000000000000/${n}` };
    const sent = {
      ...names,
      message: letter.message,
      reading: readDeadLetter(letter),
      editedBody: null,
      editedHeaders: null,
      queue,
    };
    const { body, headers } = outgoingMessage(sent);
    return { body: Buffer.from(body), headers: textHeaders(headers) };
  });
}

/** Those that are text, as bare clients take them. */
export function textHeaders(headers: readonly Header[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.flatMap(({ name, value }) => (value.type === "text" ? [[name, value.value]] : [])));
}
