import type { Clock } from "../../domain/clock.ts";
import { type Database, quoteName } from "../../domain/database.ts";
import { uuidOf } from "../../domain/ids.ts";
import { prepareSchema } from "../../schema/migrate.ts";
import { coalesce } from "../coalesce.ts";
import { barred, type Mark, type MarkedSends, marksKeptDays } from "../marked-sends.ts";
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

type Marked = Outgoing & { readonly mark: Mark };

const maxItems = 500;

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
