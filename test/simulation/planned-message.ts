import { type Message, makeMessage, textHeader } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import type { PlannedMessage } from "./scenario.ts";

/** The message as its producer sends it. Not all of it is text, and not all of it is ours. */
export function toMessage({ id, key, isKeyed, lane, behaviour }: PlannedMessage): Message {
  const end = behaviour.kind === "undecodable" ? "" : "}";
  return makeMessage({
    body: `{"id":"${id}","note":"für Zoë","cents":9007199254740993${end}`,
    headers: [
      ...(isKeyed ? [textHeader(wire.key, key)] : []),
      textHeader("tenant", "acme"),
      { name: "signature", value: { type: "bytes", value: Uint8Array.from([0, 255, 254, id.length]) } },
      { name: "sequence", value: { type: "integer", value: 9_007_199_254_740_993n } },
      textHeader("tenant", "acme, again"),
    ],
    key: lane,
  });
}

/** Read from the body: whatever becomes of the headers, the body is what was sent. */
export function idOf({ body }: Message): string {
  return /"id":"([^"]+)"/.exec(Buffer.from(body).toString())?.[1] ?? "?";
}
