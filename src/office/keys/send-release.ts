import { OfficeError } from "../../domain/errors.ts";
import { releaseMessage } from "../../domain/key-release.ts";
import type { Address } from "../../domain/message.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { OpenedSource } from "../../sources/opened-source.ts";
import { sentenceOf } from "../keep-trying.ts";

type Source = Pick<OpenedSource, "transport" | "parkedOf">;
type Open = (source: string) => Promise<Source>;

/** Sends release messages to the consumers of sources, for those whose store of blocked keys the server doesn't know. */
export function releaseSender(open: Open): (place: SequencePlace) => Promise<void> {
  return async (place) => {
    const { source, queue } = place;
    const opened = await open(source);
    const { to, message } = releaseMessage(place);
    const failed = (error: unknown) =>
      unreachable(
        place,
        `${to.name} on ${source} did not take the message for the consumers of ${queue}: ${sentenceOf(error)}`,
      );
    const parked = await parkedOf(opened, queue, to).catch((error: unknown) => {
      throw failed(error);
    });
    if (parked === null)
      throw unreachable(place, `${opened.transport.broker} has no queue that keeps order, for what they park.`);
    await opened.transport.send(parked, message, { onward: true }).catch((error: unknown) => {
      throw failed(error);
    });
  };
}

/** Null: there is none, for a broker or a queue that keeps no order. */
async function parkedOf({ transport, parkedOf: find }: Source, queue: string, usual: Address): Promise<Address | null> {
  if (find !== undefined) return find(queue);
  return transport.capabilities.order ? usual : null;
}

function unreachable(place: SequencePlace, why: string): OfficeError {
  const { source, queue, number } = place;
  const text =
    `The configuration doesn't say where the consumers of ${source} keep their blocked keys, and ${why} Add \`keys:\` to the source in dlo.config.yaml. ` +
    `Or call \`blockedKeys.release([{ queue, key, number: ${number} }])\` where they run, then \`${elsewhereCommand(place)}\`.`;
  return new OfficeError("STORE_UNAVAILABLE", text, { details: { source, queue, number } });
}

function elsewhereCommand({ source, queue, number }: SequencePlace): string {
  return `dlo keys release ${source}/${queue}/${number} --elsewhere --reason '…'`;
}
