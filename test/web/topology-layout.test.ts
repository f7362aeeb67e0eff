import { expect, it } from "vitest";
import { layOut } from "../../web/watch/topology-layout.ts";

it("draws one box for a service, with all its versions counted", () => {
  const consumers = [
    { service: "shop", version: "2.15.0", instances: 1 },
    { service: "shop", version: "2.14.3", instances: 6 },
    { service: "post", version: "1.0.0", instances: 2 },
    { service: "audit", version: "3.1.0", instances: 0 },
  ];
  const queue = { ...{ name: "orders", open: 1, failedLately: 0, consumers }, breakers: [], deadLetters: [] };
  const source = {
    ...{ name: "rabbit", broker: null, owner: null, leftOut: { queues: 0, open: 0 }, quiet: [], warnings: [] },
  };
  const { boxes } = layOut({
    ...{ shown: 1, matching: 1, unexplored: 0 },
    sources: [{ ...source, queues: [{ ...queue, replaysTo: [], warnings: [] }] }],
  });
  const services = boxes.filter(({ kind }) => kind === "service").map(({ name, about }) => `${name} ${about}`);
  expect(services).toEqual(["shop 2 versions × 7", "post 1.0.0 × 2", "audit 3.1.0, gone"]);
});
