import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import type { FindingCode } from "../../src/wiring/finding.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { keptForEver, makeTopics } from "./kafka-topics.ts";
import { lookAtPlace } from "./looking.ts";

type Settings = Readonly<Record<string, string>>;
const dayMs = 86_400_000;

describeServer("doctor on Kafka", noKafka, () => {
  const kafka = useKafka({ alone: true });
  const url = () => `kafka://${kafka.brokers.join(",")}`;
  const topics = (configuration: Settings, letters?: number) => makeTopics(kafka.brokers, configuration, letters);

  async function codesOf(topic: string): Promise<FindingCode[]> {
    const { findings } = await lookAtPlace("kafka", { url: url() });
    return findings.filter(({ queue }) => queue === topic).map(({ code }) => code);
  }

  it.each<[FindingCode, has: Settings, hasNot: Settings]>([
    ["letters.compacted", { "cleanup.policy": "compact" }, keptForEver],
    ["letters.compacted", { "cleanup.policy": "compact,delete", ...keptForEver }, keptForEver],
    ["letters.retention", { "retention.ms": String(7 * dayMs) }, { "retention.ms": String(30 * dayMs) }],
    ["letters.retention", {}, { "cleanup.policy": "compact" }],
    ["letters.overflow", { ...keptForEver, "retention.bytes": "1000000" }, keptForEver],
  ])("finds %s where it is, and only there", async (code, has, hasNot) => {
    const [bad, good] = [await topics(has), await topics(hasNot)];
    await eventually(async () => expect(await codesOf(bad.deadLetters)).toContain(code));
    expect(await codesOf(good.deadLetters)).not.toContain(code);
    expect(await codesOf(good.topic)).toEqual([]);
  });

  it("finds letters that are older than what is kept", async () => {
    const short = await topics({ "retention.ms": "1" }, 1);
    const long = await topics({ "retention.ms": String(30 * dayMs) }, 1);
    await eventually(async () => expect(await codesOf(short.deadLetters)).toContain("letters.expiring"));
    expect(await codesOf(long.deadLetters)).toEqual([]);
  });

  it("tells whose letters they are, how many, and how old the oldest is", async () => {
    const { topic, deadLetters } = await topics(keptForEver, 5);
    // A topic is seen a moment after it was made.
    await eventually(async () => {
      const { wiring } = await lookAtPlace("kafka", { url: url() });
      expect(wiring.queues.find(({ name }) => name === topic)).toMatchObject({
        deadLettering: { targets: [deadLetters] },
      });
      const letters = wiring.queues.find(({ name }) => name === deadLetters);
      expect(letters).toMatchObject({ depth: 5, deadLettering: null });
      expect(letters?.oldestAgeMs).toBeLessThan(600_000);
      expect(letters?.oldestAgeMs).toBeGreaterThanOrEqual(0);
    });
  });

  it.each([
    ["nobody there", "kafka://127.0.0.1:2", "TRANSPORT_UNAVAILABLE", /127\.0\.0\.1:2/],
    ["no address", "hunter2", "INVALID_CONFIG", /^(?!.*hunter2).*kafka:\/\//],
    ["no such mechanism", "kafka://u:hunter2@h?sasl=magic", "INVALID_CONFIG", /^(?!.*hunter2).*scram/],
  ])("says what is wrong with %s", async (_about, address, code, message) => {
    await expect(lookAtPlace("kafka", { url: address }, 5_000)).rejects.toMatchObject({
      code,
      message: matching(message),
    });
  });

  it("says that a password is refused where nobody asked for one", async () => {
    const address = url().replace("kafka://", "kafka://somebody:hunter2@");
    await expect(lookAtPlace("kafka", { url: address }, 5_000)).rejects.toMatchObject({
      message: matching(/^(?!.*hunter2)/),
    });
  });

  it("does not wait for ever for a broker that is half open", async () => {
    const proxy = await startFaultProxy({ port: Number(new URL(url().split(",")[0] ?? "").port) });
    onTestFinished(() => proxy.close());
    proxy.break({ accept: "silence" });
    const looking = lookAtPlace("kafka", { url: `kafka://127.0.0.1:${proxy.port}` }, 700);
    await expect(looking).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });
});
