import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { quoted } from "../ui/quoted.ts";

export type Draft = OutputOf<"edits.list">;
export type Changes = OutputOf<"edits.preview">;

/** What is to become of a body and its headers, as a page asks for it. */
export type EditChange = Pick<InputOf<"edits.preview">, "text" | "bodyBase64" | "original" | "headers">;

/** Values put in the place of others, which can be said in any order and of any letter; null where more than that changes. */
function replacements(changes: Changes | null): readonly { readonly path: string; readonly after: string }[] | null {
  const places = changes?.changes ?? null;
  if (changes === null || places === null || changes.moreChanges > 0) return null;
  const put = places.flatMap(({ path, before, after }) =>
    path === "" || before === null || after === null || after.includes("•••") ? [] : [{ path, after }],
  );
  return put.length === places.length ? put : null;
}

/** The same change as a JSON Patch, every digit as it was typed; null where it cannot be said so. */
export function patchOf(changes: Changes | null): string | null {
  const put = replacements(changes);
  // A patch is of bodies: it cannot say what becomes of headers.
  if (put === null || put.length === 0 || (changes?.headers.length ?? 0) > 0) return null;
  return `[${put.map(({ path, after }) => `{"op":"replace","path":${JSON.stringify(path)},"value":${after}}`).join(",")}]`;
}

/** More than this on a command line nobody reads. */
const saidAtMost = 3;

/** The same in a terminal: what changed by name where it is little, else in an editor or by a file there. What is masked is for whoever types it. */
export function editCommand(id: string, changes: Changes | null, reason: string): string {
  const put = replacements(changes);
  const headers = (changes?.headers ?? []).map(({ name, after }) =>
    after === null ? ` --without-header ${quoted(name)}` : ` --header ${quoted(`${name}=${typed(after)}`)}`,
  );
  const isSaid = put !== null && put.length <= saidAtMost;
  const said = isSaid ? put.map(({ path, after }) => ` --set ${quoted(`${path}=${after}`)}`).join("") : "";
  // With a header beside it no editor is opened, and the body would stay as it was.
  const body = changes !== null && !isSaid && headers.length > 0 ? " --body FILE" : said;
  return `dlo edit ${id}${body}${headers.join("")} --reason ${quoted(reason || "…")}`;
}

/** A mask would be refused: it stands for what somebody typed and nobody is shown. */
function typed(value: string): string {
  return value.includes("•••") ? "VALUE" : value;
}
