import type { Clock } from "../../domain/clock.ts";
import { type Database, quoteName } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { uuidOf } from "../../domain/ids.ts";
import type { Message } from "../../domain/message.ts";
import { prepareSchema } from "../../schema/migrate.ts";
import { coalesce } from "./coalesce.ts";
import { arrayLiteral, packBlock } from "./message-block.ts";
import {
  compareLanes,
  maxBatchBytes,
  newOutgoing,
  type Outgoing,
  outgoingValues,
  requireQueue,
  weightOf,
} from "./outgoing.ts";
import { markedStatements, statements } from "./statements.ts";
import { postgresTransportDefaults } from "./transport.ts";
import { Watchers } from "./watchers.ts";

export interface MarkedSendsParts {
  readonly database: Database;
  readonly schema: string;
  readonly clock: Clock;
  /** Whose sends they are. */
  readonly replay: Uint8Array;
}

/** Which of the replay's sends it is, and which intent of the replay: a later one outdoes an earlier one. */
export interface Mark {
  readonly n: number;
  readonly intent: number;
}

/** Sends that leave a mark in the same transaction, so that whether one happened is never a guess. */
export interface MarkedSends {
  /** Resolves when it is there: by this call or by an earlier one. Refuses one that somebody looked for and barred. */
  send(queue: string, message: Message, mark: Mark): Promise<void>;
  /** Numbers of those that were sent. The others are barred: not even a sender that wakes up later can send them. */
  findOrBar(marks: readonly Mark[]): Promise<ReadonlySet<number>>;
}

type Marked = Outgoing & { readonly mark: Mark };

const maxItems = 500;
/** What is still in nobody's ledger by then will not be asked for any more. */
const marksKeptDays = 60;

export function markedSends({ database, schema, clock, replay }: MarkedSendsParts): MarkedSends {
  const sql = markedStatements(quoteName(schema), marksKeptDays);
  const { answerWithinMs, maxMessageBytes } = postgresTransportDefaults;
  const id = uuidOf(replay);
  const ask = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    await prepareSchema(database, schema);
    return (await database.query<Row & object>(text, values)).rows;
  };
  const sendAll = async (items: readonly Marked[]): Promise<readonly boolean[]> => {
    const sorted = items.toSorted((a, b) => compareLanes(a.lane, b.lane));
    const there = await ask<{ n: number }>(sql.send, [
      ...packBlock(sorted.map(({ message }) => message)),
      ...outgoingValues(sorted),
      ...markValues(sorted.map(({ mark }) => mark)),
      id,
    ]);
    const numbers = new Set(there.map(({ n }) => n));
    return items.map(({ mark }) => numbers.has(mark.n));
  };
  const limitMs = database.serial ? null : answerWithinMs;
  const weight = { of: weightOf, max: maxBatchBytes };
  const send = coalesce<Marked, boolean>({ clock, limitMs, atOnce: 1, maxItems, weight, run: sendAll });
  const watchers = new Watchers({ database, schema, notify: statements(schema).notify, clock });
  return {
    async send(queue, message, mark) {
      const outgoing = newOutgoing(requireQueue({ name: queue }), message, 0, maxMessageBytes);
      if (!(await send({ ...outgoing, mark }))) throw barred(mark);
      watchers.announce(queue);
    },
    async findOrBar(marks) {
      const found = await ask<{ n: number }>(sql.findOrBar, [id, ...markValues(marks)]);
      return new Set(found.map(({ n }) => n));
    },
  };
}

function markValues(marks: readonly Mark[]): readonly [numbers: string, intents: string] {
  return [arrayLiteral(marks.map(({ n }) => n)), arrayLiteral(marks.map(({ intent }) => intent))];
}

function barred({ n }: Mark): OfficeError {
  const text = `Item ${n} is not sent any more: another process has taken the replay over. Nothing has to be done.`;
  return new OfficeError("DELIVERY_LOST", text, { details: { item: n } });
}
