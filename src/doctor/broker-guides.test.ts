import { describe, expect, it } from "vitest";
import { brokerGuides } from "./broker-guides.ts";

describe("the least rights of Kafka", () => {
  it("name every topic by a star only where Kafka takes it for one, which no prefixed rule does", () => {
    const commands = brokerGuides.kafka.rights.flatMap(({ remedy }) => remedy.split(" && "));
    expect(commands.filter((each) => each.includes("'*'") && each.includes("prefixed"))).toEqual([]);
  });
});
