import type { Category } from "../../domain/classification.ts";
import type { Finding } from "../finding.ts";
import { quote } from "../sentences.ts";
import type { Reading } from "./reading.ts";

/** A fact around the failure that outweighs what its words say. */
interface Circumstance {
  readonly category: Category;
  readonly rule: string;
  readonly why: () => string;
  /** What it makes void. */
  readonly voids: (finding: Finding) => boolean;
}

/** Looks at a failure with what was found, and says what else is to be considered. */
type Look = (reading: Reading, findings: readonly Finding[]) => Circumstance | undefined;

/** Applies what lies around the failure: findings in, findings out. */
export function circumstancesOf(reading: Reading, findings: readonly Finding[]): readonly Finding[] {
  for (const look of looks) {
    const found = look(reading, findings);
    if (found === undefined) continue;
    const { category, rule, why, voids } = found;
    const left = findings.filter((finding) => !voids(finding));
    return [...left, { source: "history", category, weight: 0.93, rule, why, effect: "none" }];
  }
  return findings;
}

const says = (category: Category, findings: readonly Finding[]) =>
  findings.some((finding) => finding.category === category && finding.weight >= 0.4);

/** Headers in which a dialect or a person noted what lies around a failure. */
const noted: readonly {
  readonly pattern: RegExp;
  readonly category: Category;
  readonly rule: string;
  readonly of: readonly Category[];
}[] = [
  {
    pattern:
      /before (?:the )?(?:transaction )?commit|inserted \d+ ?ms (?:earlier|before)|not yet (?:committed|replicated|visible)|replication lag/i,
    category: "transient",
    rule: "circumstance/ordering-race",
    of: ["lost_context", "schema_mismatch", "poison"],
  },
  {
    pattern:
      /other[-_ ]?(?:pods|hosts|instances|workers|consumers|nodes)\W+(?:are )?(?:ok|fine|healthy)|reconnected fine|(?:succeeds|works|passes) on (?:another|other) /i,
    category: "transient",
    rule: "circumstance/one-host",
    of: ["poison", "unknown", "schema_mismatch"],
  },
  {
    pattern: /\brow\b.*does not exist|no longer exists|has been deleted|already deleted|entity is gone/i,
    category: "lost_context",
    rule: "circumstance/gone",
    of: ["transient", "poison", "unknown"],
  },
  {
    pattern: /other[-_ ]?messages\W+.*(?:succeed|pass|ok|fine)/i,
    category: "poison",
    rule: "circumstance/only-this-message",
    of: ["unknown", "transient"],
  },
  {
    pattern: /other[-_ ]?messages\W+.*(?:all )?fail|all messages fail|every message fails/i,
    category: "unknown",
    rule: "circumstance/every-message",
    of: ["transient", "poison", "lost_context"],
  },
];

function inHeaders({ evidence }: Reading, findings: readonly Finding[]): Circumstance | undefined {
  for (const [name, value] of Object.entries(evidence.headers)) {
    const text = `${name}: ${value}`;
    const note = noted.find(({ pattern, of }) => of.some((category) => says(category, findings)) && pattern.test(text));
    if (note !== undefined)
      return {
        category: note.category,
        rule: note.rule,
        why: () => `A header notes "${quote(text, 80)}".`,
        voids: () => true,
      };
  }
  return undefined;
}

/** Convention: a bare 500 tells nothing, whatever a client's class for it is called. */
function bareServerError({ evidence }: Reading, findings: readonly Finding[]): Circumstance | undefined {
  if (evidence.httpStatus !== 500 && !findings.some(({ rule }) => rule.endsWith("/server-error"))) return undefined;
  const telling = findings.filter(({ rule, yields }) => yields !== true && !isServerError(rule));
  if (telling.some(({ weight }) => weight >= 0.45)) return undefined;
  const why = () => "The other side answered 500 and does not say why.";
  return { category: "unknown", rule: "status/500", why, voids: ({ rule }) => isServerError(rule) };
}

const isServerError = (rule: string) =>
  /ServerError|ERR_BAD_RESPONSE|status\/500|server-error|HttpException|ResponseError|HTTPError|APIError|code\/http\/500/.test(
    rule,
  );

/** What could not be decoded is another service's answer: the message is not to blame. */
function upstreamAnswer(_reading: Reading, findings: readonly Finding[]): Circumstance | undefined {
  const answer = findings.find(({ rule }) => rule === "stack/upstream-answer");
  if (answer === undefined) return undefined;
  return { ...answer, voids: (finding) => finding.category === "schema_mismatch" || finding === answer };
}

/** A host that never resolves is no hiccup: named by the message it is gone, otherwise it is a setting. */
function nameNeverResolves({ evidence }: Reading, findings: readonly Finding[]): Circumstance | undefined {
  const { message, attempts, sameErrorEachAttempt, payloadExcerpt } = evidence;
  if (sameErrorEachAttempt !== true || (attempts ?? 0) < 8) return undefined;
  const isLookup = findings.some(({ rule }) =>
    /name-lookup|ENOTFOUND|UnknownHost|no such host|Name or service/.test(rule),
  );
  if (!isLookup || /EAI_AGAIN|temporary/i.test(message ?? "")) return undefined;
  const host = /host=['"]([\w.-]+)|(?:ENOTFOUND|lookup|resolve host:?|host:?) ['"]?([\w-]+(?:\.[\w-]+)+)/.exec(
    message ?? "",
  );
  const name = host?.[1] ?? host?.[2];
  const voids = ({ category }: Finding) => category === "transient";
  if (name !== undefined && payloadExcerpt?.includes(name))
    return {
      category: "lost_context",
      rule: "circumstance/host-gone",
      why: () => `The host ${name} comes from the payload and resolved in none of ${attempts} attempts.`,
      voids,
    };
  return {
    category: "unknown",
    rule: "circumstance/host-unknown",
    why: () => `The host's name resolved in none of ${attempts} attempts, which looks like a wrong setting.`,
    voids,
  };
}

/** A statement that takes a required value from a sub-select that found nothing. */
function emptySubSelect({ evidence }: Reading, findings: readonly Finding[]): Circumstance | undefined {
  if (!findings.some(({ rule }) => rule.endsWith("does-not-fit"))) return undefined;
  if (!/VALUES\s*\(.*\(\s*SELECT\b/is.test(evidence.message ?? "")) return undefined;
  const why = () => "A required column takes its value from a sub-select, and that found no row.";
  return {
    category: "lost_context",
    rule: "circumstance/empty-sub-select",
    why,
    voids: ({ category }) => category === "schema_mismatch",
  };
}

/** A bug that shows in a driver's own code now and then is a broken connection, not the message. */
function driverStumbles({ evidence, frames }: Reading, findings: readonly Finding[]): Circumstance | undefined {
  const top = frames[0];
  if (
    evidence.sameErrorEachAttempt !== false ||
    top === undefined ||
    top.does !== "drives a connection" ||
    !says("poison", findings)
  )
    return undefined;
  const why = () => `It broke inside a driver, in ${quote(top.text, 60)}, and not every time.`;
  return { category: "transient", rule: "circumstance/driver", why, voids: ({ category }) => category === "poison" };
}

const looks: readonly Look[] = [
  inHeaders,
  bareServerError,
  upstreamAnswer,
  nameNeverResolves,
  emptySubSelect,
  driverStumbles,
];
