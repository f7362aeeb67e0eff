import { OfficeError } from "../../domain/errors.ts";
import { releaseMessage } from "../../domain/key-release.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { OpenedSource } from "../../sources/opened-source.ts";
import { sentenceOf } from "../keep-trying.ts";

type Open = (source: string) => Promise<Pick<OpenedSource, "transport">>;

/** Sends release messages to the consumers of sources, for those whose store of blocked keys the server doesn't know. */
export function releaseSender(open: Open): (place: SequencePlace) => Promise<void> {
  return async (place) => {
    const { source, queue } = place;
    const { transport } = await open(source);
    const { to, message } = releaseMessage(place);
    if (!transport.capabilities.order) throw unreachable(place, `${transport.broker} keeps no order by key.`);
    try {
      await transport.send(to, message, { onward: true });
    } catch (error) {
      throw unreachable(
        place,
        `${to.name} on ${source} did not take the message for the consumers of ${queue}: ${sentenceOf(error)}`,
      );
    }
  };
}

function unreachable(place: SequencePlace, why: string): OfficeError {
  const { source, queue, number } = place;
  const text =
    `Nobody said where the consumers of ${source} keep their blocked keys, and ${why} Add \`keys:\` to the source in dlo.config.yaml. ` +
    `Or call \`blockedKeys.release({ queue, key }, ${number})\` where they run, then \`${elsewhereCommand(place)}\`.`;
  return new OfficeError("STORE_UNAVAILABLE", text, { details: { source, queue, number } });
}

function elsewhereCommand({ source, queue, number }: SequencePlace): string {
  return `dlo keys release ${source}/${queue}/${number} --elsewhere --reason '…'`;
}
