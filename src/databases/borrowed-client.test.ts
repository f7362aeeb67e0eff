import { expect, it } from "vitest";
import { lend } from "./borrowed-client.ts";

/** A client as drivers have them: a class with state. */
class Client {
  asked: string[] = [];
  releases = 0;
  readonly pending: (() => void)[] = [];

  query(text: string): Promise<string> {
    this.asked.push(text);
    return new Promise((resolve) => this.pending.push(() => resolve(`answer to ${text}`)));
  }

  answerAll(): void {
    for (const answer of this.pending.splice(0)) answer();
  }

  release(): void {
    this.releases += 1;
  }
}

const terms = { refused: ["query"], kept: ["release"] };

it("is the client itself while the loan lasts", async () => {
  const client = new Client();
  const loan = lend(client, terms);
  expect(loan.client).toBeInstanceOf(Client);
  const answer = loan.client.query("select 1");
  loan.client.answerAll();
  expect(await answer).toBe("answer to select 1");
  loan.client.asked = ["written through"];
  expect(client.asked).toEqual(["written through"]);
});

it("refuses queries when the loan has ended, also through a method taken from it before", () => {
  const client = new Client();
  const loan = lend(client, terms);
  const { query } = loan.client;
  loan.end();
  expect(() => loan.client.query("update")).toThrow("This transaction has ended");
  expect(() => query("update")).toThrow("This transaction has ended");
  expect(client.asked).toEqual([]);
});

it("still lets go of things when the loan has ended", () => {
  const client = new Client();
  const loan = lend(client, terms);
  loan.end();
  expect(() => loan.client.answerAll()).not.toThrow();
});

it("cannot be given back by the borrower", () => {
  const client = new Client();
  lend(client, terms).client.release();
  expect(client.releases).toBe(0);
});

it("is busy until everything asked for is answered", async () => {
  const client = new Client();
  const loan = lend(client, terms);
  const answers = [loan.client.query("a"), loan.client.query("b")];
  expect(loan.isBusy()).toBe(true);
  client.answerAll();
  await Promise.all(answers);
  expect(loan.isBusy()).toBe(false);
});
