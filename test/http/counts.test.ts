import fc from "fast-check";
import { expect, it } from "vitest";
import { deadLetter, hold } from "../ledger/letters.ts";
import { useLedger } from "./open-server.ts";

const queues = ["orders", "mails to customers", "invoices"];
const categories = ["transient", "poison", "unknown"];

/** Filters as people put them together, of any three parts. */
const filters = fc
  .array(
    fc.oneof(
      fc.constantFrom(...queues).map((queue) => `queue:"${queue}"`),
      fc.constantFrom(...categories).map((category) => `category:${category}`),
      fc.constantFrom(...queues).map((queue) => `-queue:"${queue}"`),
      fc.constantFrom("state:open", "state:dropped", "attempts:>=1", "failed", "(category:poison OR queue:orders)"),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(" "));

const ledgers = useLedger();

it("names on every button as many letters as it then acts on, whatever was searched for", async () => {
  const server = await ledgers.open();
  const cookie = await server.signedIn("ana");
  const letters = queues.flatMap((queue, at) =>
    Array.from({ length: 5 + at * 4 }, (_, n) => ({
      letter: deadLetter({
        body: `${n}`,
        headers: { queue, class: "Error", message: "it failed", category: categories[n % 3] ?? "" },
      }),
      found: { kind: "position", position: `${queue}-${n}` } as const,
    })),
  );
  await hold(server.ledger, letters);
  const ask = async <Answer>(path: string, body?: object) =>
    (await server.fromPage(cookie, `/api/v1${path}`, body)).json<Answer>();
  const found = (q: string) => ask<{ n: number }>(`/letters/count?q=${encodeURIComponent(q)}`);
  await fc.assert(
    fc.asyncProperty(filters, async (q) => {
      const { n } = await found(q);
      const listed = await ask<{ items: unknown[] }>(`/letters?limit=200&q=${encodeURIComponent(q)}`);
      expect(listed.items).toHaveLength(n);
      const facets = await ask<Record<string, { n: number }[]>>(`/letters/facets?q=${encodeURIComponent(q)}`);
      for (const name of ["states", "categories", "queues"])
        expect(facets[name]?.reduce((sum, part) => sum + part.n, 0)).toBe(n);
      const { n: undecided } = await found(`(${q}) state:open,returned,in_replay,in_doubt`);
      const plan = await ask<{ counts?: { selected: number } }>("/replays", { q });
      expect(plan.counts?.selected ?? 0).toBe(undecided);
    }),
    { numRuns: 12, seed: 1 },
  );
  // Each letter would be judged once more for it.
  const judged = `/api/v1/letters/facets?q=${encodeURIComponent("queue:orders replay:ready")}`;
  expect((await server.fromPage(cookie, judged)).json()).toMatchObject({ error: { code: "query.invalid" } });
});
