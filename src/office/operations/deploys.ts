import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { idOfUuid, makeId, showId } from "../../domain/ids.ts";
import { isIntroducedBy } from "../../domain/introduced-by.ts";
import { recordAction } from "../../ledger/audit.ts";
import { queuesOfService } from "../../ledger/consumers.ts";
import { type Deploy, insertDeploy, listDeploys } from "../../ledger/deploys.ts";
import { type GroupIntroduction, latestIntroductions } from "../../ledger/group-words.ts";
import { type Office, operation } from "./operation.ts";

const name = z.string().trim().min(1).max(200);
const schema = z.object({ name, versions: z.array(name).min(1).max(100) });

const shownDeploy = z.object({
  id: z.string(),
  service: z.string(),
  version: z.string(),
  queues: z.array(z.string()),
  schemas: z.array(schema),
  deployedAt: z.string(),
  recordedBy: z.string(),
  /** Groups that it brought in, by a person's word: at most 20. */
  introduced: z.array(z.object({ group: z.string(), by: z.string() })),
});

export const recordDeploy = operation({
  name: "deploys.record",
  summary: "that a version of a service is live, for letters that the one before did not understand",
  role: "operator",
  input: z.object({
    service: name,
    version: name,
    /** Where it consumes. Empty: where it was seen at work. */
    queues: z.array(name).max(200).default([]),
    /** What it understands. Empty: what its predecessor did not, by the word of whoever records it. */
    schemas: z.array(schema).max(200).default([]),
    deployedAt: z.iso.datetime({ offset: true }).nullable().default(null),
  }),
  output: shownDeploy,
  async run({ ledger, clock, newId }, { deployedAt: given, queues: named, ...said }, actor) {
    const now = clock.now();
    const deployedAt = given === null ? now : Date.parse(given);
    if (deployedAt > now + 60_000) {
      throw new OfficeError("INVALID_OPTION", "`deployedAt` lies in the future: record a deploy when it is live.");
    }
    const queues = named.length > 0 ? named : await queuesOfService(ledger, said.service);
    if (queues.length === 0) {
      throw new OfficeError(
        "INVALID_OPTION",
        `Where ${said.service} consumes is not known: it does not report itself. Name its queues (\`--queue orders\`).`,
      );
    }
    const deploy: Deploy = { ...said, queues, deployedAt, id: makeId(now, newId()), recordedBy: actor.id };
    const details = { deploy: showId("deploy", deploy.id), ...said, queues, deployedAt: isoOf(deployedAt) };
    await ledger.database.transaction(async (transaction) => {
      await insertDeploy(ledger, transaction, deploy);
      await recordAction(ledger, transaction, { at: now, actor, action: "deploy.recorded", details });
    });
    return showDeploy(deploy);
  },
});

export const listRecordedDeploys = operation({
  name: "deploys.list",
  summary: "deploys that were recorded, newest first",
  role: "viewer",
  input: z.object({ limit: z.int().min(1).max(200).default(50) }),
  output: z.object({ items: z.array(shownDeploy), next: z.null() }),
  async run({ ledger }: Office, { limit }) {
    const introductions = await latestIntroductions(ledger, introductionsLookedAt);
    const deploys = await listDeploys(ledger, limit);
    return { items: deploys.map((deploy) => showDeploy(deploy, introductions)), next: null };
  },
});

/** What was said longer ago is not marked: a deploy that people look at is of these days. */
const introductionsLookedAt = 1_000;
const introducedShown = 20;

function showDeploy(deploy: Deploy, introductions: readonly GroupIntroduction[] = []): z.input<typeof shownDeploy> {
  const { id, service, version, queues, schemas, deployedAt, recordedBy } = deploy;
  return {
    ...{ id: showId("deploy", id), service, version, queues: [...queues], deployedAt: isoOf(deployedAt), recordedBy },
    introduced: introductions
      .filter(({ said }) => isIntroducedBy(said, deploy))
      .slice(0, introducedShown)
      .map(({ groupId, by }) => ({ group: showId("group", idOfUuid(groupId)), by })),
    schemas: schemas.map((each) => ({ name: each.name, versions: [...each.versions] })),
  };
}

const isoOf = (ms: number) => new Date(ms).toISOString();
