import { expect, it } from "vitest";
import { worthSecondRun } from "./failed-files.ts";

const journey = { project: "journeys", file: "test/web/inbox.test.ts" };
const contract = { project: "contract", file: "test/contract/kafka.test.ts" };

it("runs again what needs brokers, browsers and processes", () => {
  expect(worthSecondRun({ files: [journey, contract], unhandled: 0 })).toEqual([journey.file, contract.file]);
});

it.each([
  ["a unit test failed", { files: [journey, { project: "unit", file: "src/a.test.ts" }], unhandled: 0 }],
  ["messages may have been lost", { files: [{ project: "kills", file: "test/chaos/a.test.ts" }], unhandled: 0 }],
  ["an error came from no file", { files: [journey], unhandled: 1 }],
  ["no file failed, but the run did", { files: [], unhandled: 0 }],
])("runs nothing again when %s", (_, failed) => {
  expect(worthSecondRun(failed)).toEqual([]);
});
