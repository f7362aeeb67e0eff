import type { Context } from "../command.ts";
import { UsageError } from "../failure.ts";
import { textFlag, textsFlag, type ValuesOf } from "../flags.ts";

/** How an edit is said on a command line. */
export const patchFlags = {
  set: textsFlag({ placeholder: "/PATH=VALUE", about: "replaces one value; may be given several times" }),
  patch: textFlag({ placeholder: "FILE", about: "a JSON Patch (RFC 6902); - for what is piped in" }),
};

/** The patch these flags ask for, as text; null when they ask for none. */
export async function patchOf({ set, patch }: ValuesOf<typeof patchFlags>, { input }: Context): Promise<string | null> {
  if (set.length > 0 && patch !== "") throw new UsageError("unexpected_value", "Give --set or --patch, not both.");
  if (set.length > 0) return `[${set.map(stepOf).join(",")}]`;
  if (patch === "") return null;
  let text = "";
  for await (const piece of input(patch)) text += piece;
  return text;
}

/** What is JSON is taken as it is written, every digit of it; anything else is text. */
function stepOf(setting: string): string {
  const at = setting.indexOf("=");
  if (at === -1 || !setting.startsWith("/")) {
    throw new UsageError("unexpected_value", `\`${setting}\` is no setting: write --set /path/to/it=value.`);
  }
  const value = setting.slice(at + 1);
  return `{"op":"replace","path":${JSON.stringify(setting.slice(0, at))},"value":${isJson(value) ? value : JSON.stringify(value)}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
