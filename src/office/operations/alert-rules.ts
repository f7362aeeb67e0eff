import { z } from "zod";
import { isPatternInScope } from "../../domain/actor.ts";
import { alertKindFacts, alertKinds, isForNight, ruleInWords } from "../../domain/alert-rule.ts";
import { categories } from "../../domain/classification.ts";
import { OfficeError } from "../../domain/errors.ts";
import { nearestName } from "../../domain/options.ts";
import { listAlertRules, muteAlertRule, putAlertRule, removeAlertRule } from "../../ledger/alert-rules.ts";
import { recordAction } from "../../ledger/audit.ts";
import { readRuleGroups, readSharedFigures } from "../alerts/alert-figures.ts";
import { judgeRule } from "../alerts/judge-rule.ts";
import { previewPast } from "../alerts/preview-past.ts";
import { type Office, operation } from "./operation.ts";
import { wholeNumber } from "./whole-number.ts";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dots, dashes, underscores");

const ruleShape = z.object({
  name,
  kind: z.enum(alertKinds),
  /** `source/queue`; `*` stands for any characters. None: everywhere. */
  queues: z.array(z.string().min(1)).max(200),
  categories: z.array(z.enum(categories)).min(1),
  /** Letters, or seconds for `age`, `breaker` and `approval`. */
  over: wholeNumber(),
  /** How long it must hold before it is said, and be over before that is said, in seconds. */
  holdS: z.int().min(0).max(86_400),
  /** Names of the configuration; none: all who take alerts. */
  notifiers: z.array(z.string()),
});

/** What is not said is as the kind has it; nobody is woken for what is not mended at night. */
const givenRule = ruleShape.extend({
  queues: ruleShape.shape.queues.default([]),
  categories: ruleShape.shape.categories.default(categories.filter(isForNight)),
  over: ruleShape.shape.over.nullable().default(null),
  holdS: ruleShape.shape.holdS.nullable().default(null),
  notifiers: ruleShape.shape.notifiers.default([]),
});

type Given = z.output<typeof givenRule>;

function ruleOf({ over, holdS, ...given }: Given): z.output<typeof ruleShape> {
  const facts = alertKindFacts[given.kind];
  return { ...given, over: over ?? facts.over, holdS: holdS ?? facts.holdS };
}

const listedNotifier = z.object({
  name: z.string(),
  kind: z.string(),
  /** Told of alerts whose rule names nobody. */
  takesAlerts: z.boolean(),
});

export const listAllAlertRules = operation({
  name: "alerts.rules",
  summary: "when somebody is told, and who there is to be told",
  role: "viewer",
  isScoped: true,
  input: z.object({}),
  output: z.object({
    items: z.array(
      ruleShape.extend({
        /** In words. */
        sentence: z.string(),
        setBy: z.string(),
        /** It is not looked at until then. */
        mutedUntil: z.string().nullable(),
        /** Whom it tells, by name. */
        tells: z.array(z.string()),
      }),
    ),
    notifiers: z.array(listedNotifier),
    next: z.null(),
  }),
  async run(office) {
    const { scope } = office.ledger;
    const all = await listAlertRules(office.ledger);
    // A rule names its queues: those outside are not named to who may not see them.
    const rules = all.filter(({ queues }) => queues.every((each) => isPatternInScope(scope, each)));
    const items = rules.map(({ madeAt: _, ...rule }) => ({
      ...{ ...rule, queues: [...rule.queues], categories: [...rule.categories], notifiers: [...rule.notifiers] },
      ...{ sentence: ruleInWords(rule), tells: toldBy(office, rule.notifiers) },
    }));
    const notifiers = office.notifiers.map((each) => ({ name: each.name, kind: each.kind, takesAlerts: takes(each) }));
    return { items, notifiers, next: null };
  },
});

export const setAlertRule = operation({
  name: "alerts.setRule",
  summary: "makes or changes a rule by which somebody is told",
  role: "operator",
  input: givenRule,
  output: z.object({ name: z.string(), sentence: z.string(), tells: z.array(z.string()) }),
  async run(office, given, actor) {
    const { ledger, clock } = office;
    requireNotifiers(office, given.notifiers);
    const rule = { ...ruleOf(given), mutedUntil: null, setBy: actor.id, madeAt: clock.now() };
    const sentence = ruleInWords(rule);
    await ledger.database.transaction(async (transaction) => {
      await putAlertRule(ledger, transaction, rule);
      const details = { rule: rule.name, sentence };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "alert.rule_set", details });
    });
    return { name: rule.name, sentence, tells: toldBy(office, rule.notifiers) };
  },
});

const longestMuteMs = 90 * 86_400_000;

export const muteOneAlertRule = operation({
  name: "alerts.mute",
  summary: "that nobody looks at a rule for a while, or from now on again; what it found is over meanwhile",
  role: "operator",
  input: z.object({
    name,
    /** Null: it is looked at again. */
    until: z.iso.datetime({ offset: true }).nullable(),
  }),
  output: z.object({ name: z.string(), mutedUntil: z.string().nullable() }),
  async run({ ledger, clock }, { name: rule, until }, actor) {
    const now = clock.now();
    if (until !== null && Date.parse(until) - now > longestMuteMs)
      throw new OfficeError("INVALID_OPTION", "`until` is more than 90 days away: remove a rule that nobody needs.");
    await ledger.database.transaction(async (transaction) => {
      if (!(await muteAlertRule(ledger, transaction, { name: rule, until }))) throw noRule(rule);
      const details = { rule, until };
      await recordAction(ledger, transaction, { at: now, actor, action: "alert.rule_muted", details });
    });
    return { name: rule, mutedUntil: until };
  },
});

export const removeOneAlertRule = operation({
  name: "alerts.removeRule",
  summary: "takes a rule away; what it found is over",
  role: "operator",
  input: z.object({ name }),
  output: z.object({ name: z.string() }),
  async run({ ledger, clock }, { name: rule }, actor) {
    await ledger.database.transaction(async (transaction) => {
      if (!(await removeAlertRule(ledger, transaction, rule))) throw noRule(rule);
      const details = { rule };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "alert.rule_removed", details });
    });
    return { name: rule };
  },
});

export const previewAlertRule = operation({
  name: "alerts.preview",
  summary: "what a rule would find now, and what it would have said over the last 14 days, without telling anybody",
  role: "viewer",
  isScoped: true,
  input: givenRule,
  output: z.object({
    sentence: z.string(),
    tells: z.array(z.string()),
    found: z.array(z.object({ sentence: z.string(), path: z.string() })),
    /** Looked at by the hour, by as much as the ledger still knows. */
    past: z.object({
      sentence: z.string(),
      since: z.string(),
      times: z.number(),
      /** The latest; `until` is null while it goes on. */
      items: z.array(
        z.object({ at: z.string(), until: z.string().nullable(), sentence: z.string(), path: z.string() }),
      ),
      /** What was not looked at, or is not kept. */
      limits: z.array(z.string()),
    }),
  }),
  async run(office, given) {
    const { ledger, clock } = office;
    const rule = { ...ruleOf(given), mutedUntil: null };
    const now = clock.now();
    const shared = await readSharedFigures(ledger, { kinds: new Set([rule.kind]), now });
    const figures = { ...shared, groups: await readRuleGroups(ledger, rule, { now, found: [] }) };
    // As if it had stood for ever: a rule about what is new would find nothing yet.
    const found = judgeRule({ ...rule, madeAt: 0 }, figures).map(({ sentence, path }) => ({ sentence, path }));
    const past = await previewPast(ledger, rule, now);
    return { sentence: ruleInWords(rule), tells: toldBy(office, rule.notifiers), found, past };
  },
});

export const testAlertRule = operation({
  name: "alerts.test",
  summary: "tells whom a rule would tell that somebody tries it",
  role: "operator",
  input: z.object({ name }),
  output: z.object({ name: z.string(), tells: z.array(z.string()) }),
  async run(office, { name: asked }, actor) {
    const { ledger, clock } = office;
    const rule = (await listAlertRules(ledger)).find((each) => each.name === asked);
    if (rule === undefined) throw noRule(asked);
    const details = { rule: asked, about: "test", path: "/alerts", notifiers: [...rule.notifiers] };
    await ledger.database.transaction(async (transaction) => {
      // An incident that nothing ends would swallow the next trial.
      for (const action of ["alert.tested", "alert.test_over"])
        await recordAction(ledger, transaction, { at: clock.now(), actor, action, details });
    });
    return { name: asked, tells: toldBy(office, rule.notifiers) };
  },
});

function takes({ when }: Office["notifiers"][number]): boolean {
  return when.includes("alert");
}

function toldBy({ notifiers }: Office, named: readonly string[]): string[] {
  const told = notifiers.filter((each) => (named.length === 0 ? takes(each) : named.includes(each.name)));
  return told.map((each) => each.name);
}

/** A rule that tells a name of nobody looks as if somebody were told. */
function requireNotifiers({ notifiers }: Office, named: readonly string[]): void {
  const all = notifiers.map((each) => each.name);
  const unknown = named.find((each) => !all.includes(each));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, all);
  const hint = nearest === undefined ? " `notifiers` in dlo.config.yaml has them." : ` Did you mean \`${nearest}\`?`;
  throw new OfficeError("NOTIFIER_NOT_FOUND", `The configuration has no notifier \`${unknown}\`.${hint}`);
}

function noRule(rule: string): OfficeError {
  return new OfficeError("ALERT_RULE_NOT_FOUND", `There is no alert rule ${rule}. \`dlo alerts rules\` shows them.`);
}
