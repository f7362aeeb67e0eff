import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../failure.ts";
import type { Environment } from "../terminal/terminal.ts";

/** What somebody made of a text in their editor. */
export interface EditedText {
  readonly text: string;
  /** Where it lies until it is kept elsewhere. */
  readonly file: string;
  /** Takes the file away. */
  discard(): Promise<void>;
}

/** Opens the text in the editor the environment names, and waits for it to be closed. Only this user can read the file. */
export async function openEditor(text: string, suffix: string, env: Environment): Promise<EditedText> {
  const editor = env.VISUAL || env.EDITOR;
  if (editor === undefined || editor === "") {
    throw new UsageError(
      "missing_value",
      "No editor is named by VISUAL or EDITOR.",
      "Name one, or say what changes: --set /path=value, --patch FILE, --body FILE.",
    );
  }
  const file = join(await mkdtemp(join(tmpdir(), "dlo-edit-")), `body${suffix}`);
  await writeFile(file, text, { mode: 0o600 });
  await ended(editor, file);
  const edited = await readFile(file, "utf8");
  return { text: withoutAddedEnd(text, edited), file, discard: () => rm(dirname(file), { recursive: true }) };
}

/** Through the shell, since people write `code --wait` there. The file's name is ours and has nothing a shell would read. */
function ended(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
      .once("error", reject)
      .once("close", (code) => {
        const text = `\`${editor}\` ended with ${code}: nothing was edited. What it left is in ${file}.`;
        if (code === 0) resolve();
        else reject(new UsageError("unexpected_value", text));
      });
  });
}

/** Most editors end the last line of what they write; nobody meant to send that. */
function withoutAddedEnd(before: string, edited: string): string {
  return edited.endsWith("\n") && !before.endsWith("\n") ? edited.slice(0, -1) : edited;
}
