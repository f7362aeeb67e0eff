import { OfficeError } from "../../domain/errors.ts";
import type { InputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import type { EndpointCall } from "./find-endpoint.ts";

const methods = ["GET", "POST"] as const;

export const apiCommand = command({
  name: "api",
  summary: "asks for one operation of the API as it is, and prints its answer",
  examples: [
    { line: "dlo api '/letters?q=queue:orders&limit=2'", about: "GET, where nothing else is said" },
    { line: 'dlo api POST /replays/release --data \'{"reason":"the customer was told"}\'', about: "with a body" },
    { line: "dlo api POST /letters/drop --data @decision.json", about: "with what is in a file; @- is stdin" },
  ],
  details: [
    "Paths are those of docs/reference/http.md, with or without /api/v1. You are signed in as in every command. Without a server the " +
      "same operations are asked of the ledger here.",
  ],
  operand: { placeholder: "[METHOD] PATH", about: "GET or POST, and a path such as /letters", required: true, most: 2 },
  flags: {
    ...ledgerFlags,
    data: textFlag({ placeholder: "JSON|@FILE", about: "what is sent along; then it is POST" }),
  },

  async run({ operand, data, json: _alwaysJson, ...values }, context) {
    const asked = requestOf(operand ?? "", data);
    const text = data.startsWith("@") ? new TextDecoder().decode(await context.bytes(data.slice(1))) : data;
    // Loaded only now: the schemas of all operations take a while.
    const { findEndpoint } = await import("./find-endpoint.ts");
    const { name, input }: EndpointCall = findEndpoint({ ...asked, body: bodyOf(text) });
    return withOffice(values, context, async ({ ask }) => {
      // The table's schema checks it, as it does what comes over HTTP.
      context.print(JSON.stringify(await ask(name, input as InputOf<typeof name>)));
      return exit.done;
    });
  },
});

/** What is asked for. A search in a path may hold spaces, so only a word in front that could be a method is taken for one. */
export function requestOf(operand: string, data: string): { readonly method: string; readonly path: string } {
  const { word, path } = /^(?<word>[a-z]+) (?<path>.*)$/isu.exec(operand)?.groups ?? {};
  if (word === undefined || path === undefined) return { method: data === "" ? "GET" : "POST", path: operand };
  const method = methods.find((each) => each === word.toUpperCase());
  if (method === undefined) throw new UsageError("unexpected_value", `The method is GET or POST, and not \`${word}\`.`);
  if (method === "GET" && data !== "") throw new UsageError("unexpected_value", "GET takes its values in the path.");
  return { method, path };
}

function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OfficeError("INVALID_OPTION", "`--data` must be JSON, or @ and the name of a file.", { cause: error });
  }
}
