import { expect, it } from "vitest";
import { makeMessage } from "../../../src/domain/message.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRedis } from "../../servers/redis.ts";
import { useRedis } from "../../servers/use-redis.ts";
import { openLink, type Taken } from "./workbench.ts";

const leased = { leaseMs: 60_000, order: "none" } as const;
const only = ([one]: readonly Taken[]) => one as Taken;

describeServer("one answer of Redis", noRedis, () => {
  const redis = useRedis();
  const newName = () => `orders-${crypto.randomUUID()}`;

  it("holds no more bytes than it should", async () => {
    const [link, name] = [openLink(redis.url), newName()];
    const body = new Uint8Array(3_000_000);
    for (let sent = 0; sent < 8; sent++) await link.send({ name }, makeMessage({ body }), 0);
    const taken: Taken[] = [];
    // A few, since nobody knows yet how large they are; then as many as are not more than an answer.
    for (const expected of [4, 4]) {
      const some = await link.take({ name }, 100, leased);
      expect(some.length).toBe(expected);
      taken.push(...some);
    }
    await link.giveBack(taken.map(({ receipt }) => receipt));
    expect((await link.take({ name }, 100, leased)).length).toBe(6);
    expect((await link.take({ name }, 100, leased)).length).toBe(2);
  });

  it("weighs each message once one was large, until they are small again", async () => {
    const [link, name] = [openLink(redis.url), newName()];
    const send = async (lengths: readonly number[]) => {
      for (const length of lengths) await link.send({ name }, makeMessage({ body: new Uint8Array(length) }), 0);
    };
    const take = async () => (await link.take({ name }, 500, leased)).map(({ message }) => message.body.byteLength);
    const [small, large] = [100, 1_000_000];
    await send([...Array<number>(8).fill(small), ...Array<number>(40).fill(large), small]);
    const answers = [await take(), await take(), await take(), await take()];
    // A few, then a few times as many, of which the last are the first large ones; from then on as many as are not more than an answer.
    expect(answers.map((lengths) => lengths.length)).toEqual([4, 16, 17, 12]);
    expect(answers[2]).toEqual(Array(17).fill(large));
    // All of these are small, so the next are read by the batch, a few at first.
    for (const expected of [10, 4]) {
      await send(Array<number>(10).fill(small));
      expect(await take()).toHaveLength(expected);
    }
  });

  it("weighs each message once one was large also within the answer that begins with what comes again", async () => {
    const [link, name] = [openLink(redis.url), newName()];
    const lengths = [...Array<number>(9).fill(100), ...Array<number>(40).fill(1_000_000)];
    for (const length of lengths) await link.send({ name }, makeMessage({ body: new Uint8Array(length) }), 0);
    const { receipt } = only(await link.take({ name }, 1, leased));
    await link.giveBack([receipt]);
    expect(await link.take({ name }, 500, leased)).toHaveLength(9 + 17);
    expect(await link.take({ name }, 500, leased)).toHaveLength(17);
  });
});
