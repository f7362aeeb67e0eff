import { parseSchemaName } from "../../domain/schema-name.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag, textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { momentFlag } from "./moment-flag.ts";

export const deployRecordCommand = command({
  name: "deploy record",
  summary: "that a version of a service is live: letters its predecessor could not read may go back",
  examples: [
    { line: "dlo deploy record orders@2.15.0", about: "at the end of a pipeline; its queues are those it reports" },
    {
      line: "dlo deploy record orders@2.15.0 --queue orders --schema order@3",
      about: "for a service that does not report",
    },
  ],
  details: [
    "Letters of the category schema_mismatch are blocked until a consumer of their queue handles their schema; then those go that " +
      "failed before it was deployed. Consumers with `officeReports` and `handles` say so themselves, and their word comes first.",
    "Without --schema it stands for whatever the version before did not understand, by your word. A deploy that was rolled back " +
      "opens nothing, where the service reports its version.",
  ],
  operand: { placeholder: "SERVICE@VERSION", about: "what is live", required: true },
  flags: {
    ...ledgerFlags,
    queue: textFlag({
      placeholder: "NAME[,NAME...]",
      about: "the queues it consumes; else those it was seen at work on",
    }),
    schema: textFlag({ placeholder: "NAME@N[,NAME@N...]", about: "the message schemas it handles" }),
    at: momentFlag("when it went live"),
  },

  async run({ operand, queue, schema, at, json, ...values }, context) {
    const [, service, version] = /^(.+)@([^@]+)$/.exec(operand ?? "") ?? [];
    if (service === undefined || version === undefined) {
      throw new UsageError(
        "unexpected_value",
        `\`${operand}\` is not a service and its version, such as orders@2.15.0.`,
      );
    }
    return withOffice(values, context, async ({ ask }) => {
      const input = { service, version, queues: listOf(queue), schemas: schemasIn(schema), deployedAt: at };
      const deploy = await ask("deploys.record", input);
      const where = deploy.queues.map(visible).join(", ");
      context.print(
        json
          ? JSON.stringify(deploy)
          : `${deploy.id} recorded: ${visible(operand ?? "")} on ${where} since ${deploy.deployedAt}.`,
      );
      return exit.done;
    });
  },
});

export const deployListCommand = command({
  name: "deploy list",
  summary: "deploys that were recorded, newest first",
  examples: [{ line: "dlo deploy list", about: "what people and pipelines said" }],
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 50, min: 1, max: 200, integer: true }),
  },

  async run({ limit, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { items, next } = await ask("deploys.list", { limit });
      const titles = ["DEPLOY", "SERVICE", "VERSION", "QUEUES", "SCHEMAS", "SINCE", "BY", "INTRODUCED"];
      const rows = items.map(({ id, service, version, queues, schemas, deployedAt, recordedBy, introduced }) => [
        ...[id, visible(service), visible(version), visible(queues.join(","))],
        visible(schemas.map(({ name, versions }) => versions.map((each) => `${name}@${each}`).join(",")).join(",")),
        ...[context.when(deployedAt), visible(recordedBy), introduced.map(({ group }) => group).join(",")],
      ]);
      if (json) context.print(JSON.stringify({ items, next }));
      else if (rows.length > 0) {
        context.print(
          table(
            titles.map((title) => ({ title, align: "left" as const })),
            rows,
            context.terminal,
          ),
        );
      }
      if (items.length === 0) context.note("No deploy was recorded.");
      return exit.done;
    });
  },
});

const listOf = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function schemasIn(text: string): { name: string; versions: string[] }[] {
  const versions = new Map<string, string[]>();
  for (const part of listOf(text)) {
    const { name, version } = parseSchemaName(part);
    if (name === null || version === null) {
      throw new UsageError("unexpected_value", `\`${part}\` is not a schema and its version, such as order@3.`);
    }
    versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  return [...versions].map(([name, all]) => ({ name, versions: all }));
}
