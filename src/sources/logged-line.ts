import { showSend } from "../domain/send-mark.ts";
import { systemHost } from "../system/host.ts";
import { isFault, type KafkaDriver } from "../transports/kafka/driver.ts";
import { type LoggedAs, markedSends } from "../transports/kafka/marked-sends.ts";
import type { IsOurs, LostSend, SendFinding, SendLine } from "./send-line.ts";
import { addressOf, endsOf, groupsReading } from "./topic-readers.ts";

export interface LoggedLineParts {
  readonly replay: Uint8Array;
  readonly isOurs: IsOurs;
  /** For clusters that allow us no transactions: then nothing tells of a send that was not confirmed. */
  readonly plain: SendLine;
  /** Of the producer: one for each replay and source. */
  readonly name: string;
}

const refused = "TRANSACTIONAL_ID_AUTHORIZATION_FAILED";

/** Sends in transactions: what a dead sender left open is void once its successor begins, and the log tells of all the rest. */
export function loggedLine(driver: KafkaDriver, { replay, isOurs, plain, name }: LoggedLineParts): SendLine {
  const sends = markedSends({ driver, host: systemHost, name });
  /** By queue, as they were when something was last noted; null where no transaction may be. */
  const topics = new Map<string, string | null>();
  const topicOf = async (queue: string) => (await addressOf(driver, queue))?.name ?? queue;
  const findIn = async (queue: string, lost: readonly LostSend[]): Promise<readonly [number, SendFinding][]> => {
    const topic = await topicOf(queue);
    const noted = lost.flatMap(({ n, note }) => (note === null ? [] : [{ n, note }]));
    const wanted = noted.map(({ n, note }) => ({ mark: showSend({ replay, n }), positions: note }));
    const logged = await sends.find(topic, wanted);
    const isUnseen = [...logged.values()].includes("withdrawn") && (await allReadCommitted(driver, topic, isOurs));
    return noted.flatMap(({ n }) => {
      const finding = findingOf(logged.get(showSend({ replay, n })), isUnseen);
      return finding === null ? [] : [[n, finding]];
    });
  };
  return {
    sideBySide: false,
    async note(queue) {
      try {
        const topic = await topicOf(queue);
        const positions = await sends.positions(topic);
        topics.set(queue, topic);
        return positions;
      } catch (error) {
        if (!isFault(error, refused)) throw error;
        topics.set(queue, null);
        return null;
      }
    },
    async send(queue, message, intended) {
      const topic = topics.get(queue);
      if (topic === undefined || topic === null) return plain.send(queue, message, intended);
      await sends.send(topic, message);
    },
    commit: () => sends.commit(),
    async findOut(lost) {
      const found: (readonly [number, SendFinding])[] = [];
      for (const queue of new Set(lost.map((send) => send.queue))) {
        const there = lost.filter((send) => send.queue === queue && send.note !== null);
        if (there.length > 0) found.push(...(await findIn(queue, there)));
      }
      return new Map(found);
    },
  };
}

/** What was withdrawn is nowhere, unless somebody may have read it all the same. */
function findingOf(logged: LoggedAs | undefined, isUnseen: boolean): SendFinding | null {
  if (logged === "committed") return "sent";
  if (logged === "absent") return "unsent";
  return logged === "withdrawn" && isUnseen ? "unsent" : null;
}

/** Consumers of our making read only what was committed; of anybody else that is not known. */
async function allReadCommitted(driver: KafkaDriver, topic: string, isOurs: IsOurs): Promise<boolean> {
  const groups = await groupsReading(driver, await endsOf(driver, topic));
  const ours = await Promise.all(groups.map((group) => isOurs(`${topic}.${group}`)));
  return ours.length > 0 && ours.every(Boolean);
}
