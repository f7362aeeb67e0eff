import { expect, it } from "vitest";
import { sharedAnswers } from "./shared-answers.ts";

/** A question whose answers are given by hand: each is the number of the time it was asked. */
function setup() {
  const share = sharedAnswers();
  const asked: { answer(): void; fail(): void }[] = [];
  const ask = (question = "inbox") =>
    share(question, () => {
      const n = asked.length + 1;
      return new Promise<string>((resolve, reject) => {
        asked.push({ answer: () => resolve(`${question} ${n}`), fail: () => reject(new Error(`${question} ${n}`)) });
      });
    });
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  return { ask, asked, turn };
}

it("asks once for all who come while it is being asked, and never gives them what was begun before they came", async () => {
  const { ask, asked, turn } = setup();
  const first = ask();
  const later = [ask(), ask(), ask()];
  expect(asked).toHaveLength(1);
  asked[0]?.answer();
  expect(await first).toBe("inbox 1");
  await turn();
  expect(asked).toHaveLength(2);
  const third = ask();
  asked[1]?.answer();
  expect(await Promise.all(later)).toEqual(["inbox 2", "inbox 2", "inbox 2"]);
  await turn();
  asked[2]?.answer();
  expect(await third).toBe("inbox 3");
});

it("asks at once when nobody is asking, and shares nothing between questions", async () => {
  const { ask, asked } = setup();
  const both = [ask("a"), ask("b")];
  expect(asked).toHaveLength(2);
  for (const each of asked) each.answer();
  expect(await Promise.all(both)).toEqual(["a 1", "b 2"]);
  const again = ask("a");
  expect(asked).toHaveLength(3);
  asked[2]?.answer();
  expect(await again).toBe("a 3");
});

it("lets a failure be that of those who asked for it, and of nobody after them", async () => {
  const { ask, asked, turn } = setup();
  const first = ask();
  const second = ask();
  asked[0]?.fail();
  await expect(first).rejects.toThrow("inbox 1");
  await turn();
  asked[1]?.answer();
  expect(await second).toBe("inbox 2");
});
