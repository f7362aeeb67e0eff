import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { doorsHook } from "../documents/workshop.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafkaServer } from "../servers/kafka.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { root } from "../sources.ts";

const run = promisify(execFile);

describeServer("the example on Kafka", noKafkaServer, () => {
  const kafka = useKafka({ alone: true });

  it("charges what can be charged, in order for each customer, and dead-letters the rest", async () => {
    const env = { ...process.env, KAFKA_BROKERS: kafka.brokers.join(","), NODE_OPTIONS: "" };
    const program = join(root, "examples", "kafka", "main.ts");
    const { stdout } = await run(process.execPath, ["--import", doorsHook, program], { env });
    const lines = stdout.trim().split("\n");
    const ofAda = lines.filter((line) => line.startsWith("Ada"));
    expect(ofAda).toEqual(["Ada's first: charged 250 cents, attempt 3", "Ada's second: charged 990 cents, attempt 1"]);
    expect(lines.filter((line) => line.startsWith("the bank is away")).length).toBe(2);
    expect(lines).toContain("dead letter in orders.payments.dlq: unprocessable");
    // Nobody else waits for Ada's retries.
    expect(lines.indexOf("Bob's first: charged 100 cents, attempt 1")).toBeLessThan(lines.indexOf(ofAda[0] ?? ""));
  });
});
