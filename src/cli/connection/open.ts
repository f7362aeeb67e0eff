import { OfficeError } from "../../domain/errors.ts";
import { idPrefixes } from "../../domain/ids.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { switchFlag } from "../flags.ts";
import { officeAddress } from "./credentials.ts";
import { openBrowser } from "./open-browser.ts";
import { officeFlags, whichOffice } from "./which-office.ts";

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
    const path = pathOf(operand);
    const where = await whichOffice(values, context);
    if (where.kind === "here") throw noPages();
    const url = `${officeAddress(where.url.value)}${path}`;
    context.print(json ? JSON.stringify({ url }) : url);
    if (!noBrowser && !json && context.terminal.interactive) openBrowser(url);
    return exit.done;
  },
});

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
