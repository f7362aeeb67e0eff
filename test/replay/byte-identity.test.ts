import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { idOfUuid } from "../../src/domain/ids.ts";
import { type Address, headerText, makeMessage } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { drainAll } from "../ledger/drain-all.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { openBroker, readAll } from "./brokers.ts";
import { oddBodies } from "./odd-bodies.ts";
import { places } from "./places.ts";
import { countsOf, itemsOf, planned, replayWorld, run, started } from "./world.ts";

/** What a body is known by once it is bytes among bytes. */
function digest(body: Uint8Array): string {
  return `${body.length} ${createHash("sha256").update(body).digest("hex")}`;
}

async function lettersOf({ database, at }: Ledger, queue: string): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(`select id from ${at}.letters where queue = $1 order by id`, [
    queue,
  ]);
  return rows.map(({ id }) => idOfUuid(id));
}

for (const { name, missing, mostBytes = Number.POSITIVE_INFINITY, use } of places) {
  const bodies = oddBodies.filter(([, body]) => body.length <= mostBytes);
  describeServer(`a letter that was on ${name}`, noPostgres ?? missing, () => {
    const postgres = usePostgres();
    const brokerOf = use();
    let ledger: Ledger;
    beforeAll(async () => {
      ledger = await openLedger({ database: postgres.database });
    });

    it("goes back with the bytes it came with, whatever they are", { timeout: 240_000 }, async () => {
      const broker = brokerOf();
      const { transport, line, close } = await openBroker(broker, postgres.url);
      const queue = `odd-${crypto.randomUUID()}`;
      const error = { class: "Error", message: "connect ECONNREFUSED 10.0.0.7:443", code: "ECONNREFUSED" };
      const dead = {
        "dlo-queue": queue,
        "dlo-error": JSON.stringify(error),
        "dlo-attempt": "1",
        "dlo-reason": "exhausted",
      };
      const deadLetters: Address = { name: `${queue}.dlq`, ...(broker.kind === "kafka" && { group: "office" }) };
      for (const [what, body] of bodies) {
        await transport.send(deadLetters, makeMessage({ body, headers: { ...dead, what: encodeURI(what) } }));
      }
      // Where letters go back to is there before they do.
      await transport.send({ name: queue }, makeMessage({ body: "an earlier one" }));
      await readAll(transport, queue, 1);

      expect(await drainAll(ledger, transport, deadLetters)).toMatchObject({ held: bodies.length });
      const world = replayWorld(ledger, { protocol: { ramp: [] } });
      const parts = { ...world.parts, read: readDeadLetter, line: async (_: string, id: Uint8Array) => line(id) };
      const replay = await planned(parts, await lettersOf(ledger, queue));
      expect((await itemsOf(parts, replay)).filter(({ decision }) => decision !== "replay")).toEqual([]);
      await started(parts, replay);
      expect(await run(parts, replay)).toBe("finished");
      expect(await countsOf(parts, replay)).toMatchObject({ selected: bodies.length, sent: bodies.length });

      const arrived = await readAll(transport, queue, bodies.length);
      await close();
      expect(new Map(arrived.map(({ headers, body }) => [headerText(headers, "what"), digest(body)]))).toEqual(
        new Map(bodies.map(([what, body]) => [encodeURI(what), digest(body)])),
      );
    });
  });
}
