import type { OutputOf } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { textsFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";

/** For what selects letters by a search. */
export const confirmUnknownFlag = textsFlag({
  placeholder: "NAME",
  about: "leave this out though no letter has it, such as tag:hold; several: give it again",
});

/** What a search says that is probably not meant, beside what it finds. */
export function noteWarnings(warnings: OutputOf<"letters.list">["warnings"], { note }: Pick<Context, "note">): void {
  for (const { sentence } of warnings) note(`Warning: ${visible(sentence)}`);
}
