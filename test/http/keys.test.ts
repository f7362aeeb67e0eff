import { describe, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const roles = [{ name: "accounts-ops", is: "operator", queues: ["*/accounts"], reveals: false }] as const;

interface Look {
  readonly items: readonly { readonly place: string; readonly key: string; readonly letter: { id: string } | null }[];
  readonly unchecked: readonly { readonly source: string; readonly why: string }[];
}

/** A dead message that blocks its key, with its letter; and one that waits behind it. */
async function blockedKey({ ledger }: TestServer, store: ReturnType<typeof memoryBlockedKeys>, of: [string, string]) {
  const [queue, text] = of;
  const lane = { queue, key: new TextEncoder().encode(text) };
  const place = async (fate: "dead" | "parked") => {
    const turn = crypto.randomUUID();
    const number = await store.enter(lane, { mark: new TextEncoder().encode(turn), turn });
    await store.confirm(lane, number, turn, fate);
    return number;
  };
  const dead = await place("dead");
  await place("parked");
  const headers = { queue, class: "NoAccount", "dlo-queue": queue, "dlo-lane": String(dead) };
  const letter = deadLetter(
    {},
    { message: makeMessage({ body: text, headers, key: lane.key }), queue: `${queue}.dlq` },
  );
  await hold(ledger, [{ letter, found: { kind: "position", position: crypto.randomUUID() } }]);
}

describe("blocked keys over HTTP", () => {
  const ledgers = useLedger();

  async function world(ask: "answers" | "away" | "unsaid" = "answers") {
    const store = memoryBlockedKeys();
    const server = await ledgers.open({
      roles,
      office: {
        sourceNames: () => ["rabbit"],
        async blockedKeysOf() {
          if (ask === "away") throw new Error("connect ECONNREFUSED postgres://dlo:hunter2@db:5432");
          return ask === "unsaid" ? null : store;
        },
        async sendRelease() {
          throw new Error("there is no queue wages.parked");
        },
      },
    });
    const get = async (cookie: string, path: string) =>
      (await server.fromPage(cookie, `/api/v1${path}`)).json<Look & { readonly error?: { readonly code: string } }>();
    return { server, store, get };
  }

  it("shows somebody of some queues those alone, keys masked, and lets nobody release others", async () => {
    const { server, store, get } = await world();
    await blockedKey(server, store, ["accounts", "ana@example.com"]);
    await blockedKey(server, store, ["wages", "w-1"]);
    const admin = await server.signedIn("root");
    expect((await get(admin, "/keys")).items.map(({ key }) => key)).toEqual([
      expect.not.stringContaining("ana@"),
      "w-1",
    ]);
    const scoped = await server.signedIn("olga", ["accounts-ops"]);
    const [own, ...others] = (await get(scoped, "/keys")).items;
    expect([own?.place, others]).toEqual([expect.stringMatching(/^rabbit\/accounts\/\d+$/), []]);
    const wages = (await get(admin, "/keys?queue=wages")).items[0];
    const release = async (cookie: string, place: string, reason = "closed") => {
      const answer = await server.fromPage(cookie, `/api/v1/keys/${encodeURIComponent(place)}/release`, { reason });
      return [answer.statusCode, answer.json<{ readonly error?: { readonly code: string } }>().error?.code];
    };
    for (const place of [wages?.place ?? "", wages?.letter?.id ?? ""])
      expect((await release(scoped, place))[0], place).toBe(404);
    const viewer = await server.signedIn("vera", ["viewer"]);
    expect((await release(viewer, own?.place ?? ""))[0]).toBe(403);
    expect((await release(scoped, own?.place ?? "", " "))[0]).toBe(400);
    expect(await release(scoped, own?.place ?? "")).toEqual([200, undefined]);
    expect((await get(scoped, `/keys/${encodeURIComponent("rabbit/accounts/99")}`)).error?.code).toBe(
      "key.not_blocked",
    );
    const { items } = await get(admin, "/keys?queue=wages");
    expect(items).toMatchObject([{ state: "dead", behind: 1 }]);
  });

  it("says of letters that were given back that their keys still wait, and how to release them", async () => {
    const { server, store, get } = await world();
    await blockedKey(server, store, ["accounts", "a-7"]);
    const admin = await server.signedIn("root");
    const letter = (await get(admin, "/keys?queue=accounts")).items.at(-1)?.letter?.id ?? "";
    const back = await server.fromPage(admin, "/api/v1/letters/give-back", { letters: [letter], reason: "not ours" });
    expect(back.json()).toMatchObject({ letters: 1, blocking: [letter] });
    expect(await store.list("accounts")).toMatchObject([{ state: "dead", behind: 1 }]);
    const shown = (await get(admin, `/keys/${letter}`)).items;
    expect(shown).toMatchObject([{ state: "dead", behind: 1, release: null, letter: { state: "dropped" } }]);
  });

  it.each([
    ["away", "connect ECONNREFUSED"],
    ["unsaid", "`keys:`"],
  ] as const)("shows what is known of letters where the store is %s, and why it knows no more", async (ask, why) => {
    const { server, store, get } = await world(ask);
    await blockedKey(server, store, ["wages", `w-${ask}`]);
    const admin = await server.signedIn("root");
    const { items, unchecked } = await get(admin, "/keys?queue=wages");
    expect(items.find(({ key }) => key === `w-${ask}`)).toMatchObject({ state: null, behind: null, letter: {} });
    expect(unchecked).toMatchObject([{ source: "rabbit", why: expect.stringContaining(why) as string }]);
    expect(JSON.stringify(unchecked)).not.toContain("hunter2");
    const letter = items.find(({ key }) => key === `w-${ask}`)?.letter?.id ?? "";
    const tried = await server.fromPage(admin, `/api/v1/keys/${letter}/release`, { reason: "closed" });
    expect(tried.json<Look>().items).toMatchObject([
      { release: { state: "pending", trouble: expect.any(String) as string } },
    ]);
  });
});
