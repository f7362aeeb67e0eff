import { isOfficeError } from "../../domain/errors.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { switchFlag, textFlag, textsFlag, type ValuesOf } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { drawChanges } from "./draw-changes.ts";
import { openEditor } from "./open-editor.ts";
import { patchFlags, patchOf } from "./patch-flags.ts";

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

const flags = {
  ...ledgerFlags,
  ...patchFlags,
  header: textsFlag({
    placeholder: "NAME=VALUE",
    about: "puts a header in the place of its own; may be given several times",
  }),
  "without-header": textsFlag({ placeholder: "NAME", about: "goes without a header; may be given several times" }),
  "restore-header": textsFlag({
    placeholder: "NAME",
    about: "gives a header back as the letter came with it; may be given several times",
  }),
  body: textFlag({ placeholder: "FILE", about: "another body altogether; - for what is piped in" }),
  original: switchFlag("back to the bytes it came with"),
  preview: switchFlag("shows what would change, and keeps nothing"),
  reason: textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" }),
};

export const editCommand = command({
  name: "edit",
  summary:
    "edits the body and the headers of a letter before it is sent back; the original is kept, and nothing is sent",
  examples: [
    { line: `dlo edit ${letter} --reason 'total was NaN'`, about: "in $EDITOR" },
    { line: `dlo edit ${letter} --set /order/total=129.90 --reason 'total was NaN'`, about: "one value" },
    {
      line: `dlo edit ${letter} --header x-tenant=acme --reason 'wrong tenant'`,
      about: "one header, and nothing else",
    },
    { line: `dlo edit ${letter} --patch fix.json --preview`, about: "what a JSON Patch would do to it" },
  ],
  details: [
    "The edit is kept as the letter's next revision, and the next `dlo replay plan` takes that. Such a plan always needs an " +
      "approval, and not by whoever edited. All that is not changed keeps its bytes: numbers, spaces, order.",
    "What is masked stays masked in the editor, and is sent unchanged as long as its mask stays where it is.",
    "Headers of the office (dlo-…), of traces, and the marks of the failure, which a replay takes off, cannot be edited.",
    "Whoever edits second is told what the first one did, and keeps what they wrote.",
  ],
  operand: { placeholder: "LETTER", about: "its id, ltr_…", required: true },
  flags,

  async run({ operand, ...values }, context) {
    const id = operand ?? "";
    if (values.reason === "" && !values.preview)
      throw new UsageError("missing_value", "Say why: --reason 'total was NaN'.");
    return withOffice(values, context, async (work) => {
      const draft = await work.ask("edits.list", { id });
      const given = await givenEdit(values, context, draft);
      const request = { id, from: draft.revision, ...given.change, headers: headersOf(values) };
      try {
        const code = await (values.preview
          ? preview(work, request, values, context)
          : make(work, request, values, context));
        await given.discard?.();
        return code;
      } catch (error) {
        if (given.file !== undefined && isOfficeError(error)) context.note(`What you wrote is kept in ${given.file}`);
        throw error;
      }
    });
  },
});

type Values = ValuesOf<typeof flags> & { readonly json: boolean };

interface Draft {
  readonly text: string | null;
  readonly format: string;
  readonly bytes: number;
}

interface Given {
  readonly change:
    | { readonly patch: string }
    | { readonly text: string }
    | { readonly bodyBase64: string }
    | { readonly original: true }
    /** Headers alone. */
    | object;
  /** Where an editor left it. */
  readonly file?: string;
  readonly discard?: () => Promise<void>;
}

async function givenEdit(values: Values, context: Context, draft: Draft): Promise<Given> {
  const { set, patch, body, original, json } = values;
  const ways = [set.length > 0, patch !== "", body !== "", original].filter(Boolean).length;
  if (ways > 1) throw new UsageError("unexpected_value", "Edit it in one way: --set, --patch, --body or --original.");
  if (original) return { change: { original: true } };
  if (body !== "") return { change: { bodyBase64: Buffer.from(await context.bytes(body)).toString("base64") } };
  const steps = await patchOf({ set, patch }, context);
  if (steps !== null) return { change: { patch: steps } };
  if (headersOf(values).length > 0) return { change: {} };
  if (json || !context.mayAsk)
    throw new UsageError(
      "missing_value",
      `With ${json ? "--json" : "--no-input"} nobody is asked: give --set, --patch, --body, --header or --original.`,
    );
  if (draft.text === null) throw new UsageError("missing_value", `${noText(draft)}: replace it with --body FILE.`);
  const edited = await openEditor(draft.text, draft.format === "json" ? ".json" : ".txt", context.env);
  return { change: { text: edited.text }, file: edited.file, discard: edited.discard };
}

function noText({ format, bytes }: Draft): string {
  if (format === "too_large") return `Its body is too large to be edited by hand (${bytes} bytes)`;
  return format === "missing" ? "Its body is not here" : "Its body is not text";
}

type Headers = ({ name: string; value: string | null } | { name: string; restore: true })[];

/** What these flags make of headers. */
function headersOf({ header, "without-header": without, "restore-header": restored }: Values): Headers {
  const put = header.map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError("unexpected_value", `\`${pair}\` is no header: write --header name=value.`);
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
  return [
    ...put,
    ...without.map((name) => ({ name, value: null })),
    ...restored.map((name) => ({ name, restore: true as const })),
  ];
}

type Request = Given["change"] & { readonly id: string; readonly from: number; readonly headers: Headers };

async function preview({ ask }: AtWork, request: Request, { json }: Values, context: Context): Promise<number> {
  const changes = await ask("edits.preview", request);
  context.print(json ? JSON.stringify(changes) : drawChanges(changes, context));
  context.note("Nothing was kept.");
  return exit.done;
}

async function make({ ask }: AtWork, request: Request, { json, reason }: Values, context: Context): Promise<number> {
  const edit = await ask("edits.make", { ...request, reason });
  context.print(json ? JSON.stringify(edit) : drawChanges(edit, context));
  context.note(`Kept as revision ${edit.revision}. Nothing was sent.\nNext: dlo replay plan --id ${request.id}`);
  return exit.done;
}
