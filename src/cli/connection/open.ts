import { OfficeError } from "../../domain/errors.ts";
import { idPrefixes } from "../../domain/ids.ts";
import type { Ask } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { switchFlag } from "../flags.ts";
import { officeAddress } from "./credentials.ts";
import { openBrowser } from "./open-browser.ts";
import { remoteOffice } from "./remote-office.ts";
import { officeFlags, whichOffice } from "./which-office.ts";
import { wholeId } from "./whole-ids.ts";

export const openCommand = command({
  name: "open",
  summary: "opens the page of a letter, group or replay in the browser, and prints its address",
  examples: [
    { line: "dlo open rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "that replay" },
    { line: "dlo open", about: "the inbox" },
    { line: "dlo open grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --no-browser", about: "only the address, for a chat" },
  ],
  operand: { placeholder: "ID", about: "of a letter, group, replay, fix or deploy; else the inbox", required: false },
  flags: { ...officeFlags, "no-browser": switchFlag("only print the address") },

  async run({ operand, json, "no-browser": noBrowser, ...values }, context) {
    const where = await whichOffice(values, context);
    if (where.kind === "here") throw noPages();
    const address = officeAddress(where.url.value);
    const url = `${address}${pathOf(operand === null ? null : await idAt(address, operand, context))}`;
    context.print(json ? JSON.stringify({ url }) : url);
    if (!noBrowser && !json && context.terminal.interactive) openBrowser(url);
    return exit.done;
  },
});

/** An office is only asked where somebody gave less than an id. */
function idAt(address: string, given: string, context: Context): Promise<string> {
  const ask: Ask = async (name, input, options) => (await remoteOffice(address, context))(name, input, options);
  return wholeId(ask, given, address);
}

/** Fixes and deploys are shown with the consumers they are about. */
const folders: Readonly<Partial<Record<string, string>>> = {
  [idPrefixes.letter]: "/letters/",
  [idPrefixes.group]: "/groups/",
  [idPrefixes.replay]: "/replays/",
};
const onConsumers: readonly string[] = [idPrefixes.fix, idPrefixes.deploy];

function pathOf(id: string | null): string {
  if (id === null) return "/";
  const prefix = id.split("_")[0] ?? "";
  const folder = folders[prefix];
  if (folder !== undefined) return `${folder}${encodeURIComponent(id)}`;
  if (onConsumers.includes(prefix)) return "/consumers";
  throw new UsageError("unexpected_value", `\`${id}\` is no id: those look like ltr_…, grp_… or rpl_….`);
}

function noPages(): OfficeError {
  return new OfficeError("INVALID_OPTION", "No office runs here, so there is no page to open.", {
    details: { hint: "Start one: dlo up. Or name one: --server URL." },
  });
}
