import type { FailureEvidence } from "../../domain/classification.ts";
import { memo } from "../../domain/memo.ts";
import type { Finding } from "../finding.ts";
import { besideGivingUp } from "../giving-up.ts";
import { lastName } from "../knowledge/knowledge.ts";
import type { Lexicon, ReadText } from "../lexicon.ts";
import { topicsIn } from "./topics.ts";

/** Evidence read once, for all who look at it. */
export interface Reading {
  readonly evidence: FailureEvidence;
  readonly message: ReadText;
  /** The words of message, class or code that say only that somebody gave up; null where there are none. */
  readonly gaveUp: string | null;
  /** What the words of the class's own name, of the code and of the causes are about. */
  readonly said: readonly Finding[];
  /** Lines of the stack that are text: causes, log lines. */
  readonly causes: readonly Line[];
  /** Lines of the stack that name a place, innermost first. */
  readonly frames: readonly Line[];
  readonly systems: ReadonlySet<string>;
}

/** A line of a stack. */
export interface Line {
  readonly text: string;
  readonly systems: readonly string[];
  readonly said: readonly Finding[];
  readonly isFrame: boolean;
  /** What the code at this place does, as far as its name tells. */
  readonly does: "decodes" | "reads an answer" | "drives a connection" | null;
}

export type ReadEvidence = (evidence: FailureEvidence) => Reading;

/** A deep stack says at its top where it broke; the rest is the framework's way to the handler. */
const mostLines = 16;
/** Frames whose packages tell which systems are spoken to. */
const telling = 3;

export function evidenceReader(lexicon: Lexicon): ReadEvidence {
  const readClass = memo((name) => {
    const { rest, words } = besideGivingUp(ownName(name));
    return { said: topicsIn("class", lexicon.read(rest)), systems: lexicon.read(name).systems, gaveUp: words };
  });
  const readCode = memo((code) => {
    const { rest, words } = besideGivingUp(code);
    return { said: topicsIn("code", lexicon.read(rest)), systems: lexicon.read(code).systems, gaveUp: words };
  });
  const readLine = memo((text) => lineOf(text, lexicon), { worthKeeping: ({ isFrame }) => isFrame });
  return (evidence) => {
    const { errorClass, message, code, stack, ecosystem, headers } = evidence;
    const lines = (stack.length > mostLines ? stack.slice(0, mostLines) : stack).map(readLine);
    const causes = lines.filter(({ isFrame }) => !isFrame);
    const frames = lines.filter(({ isFrame }) => isFrame);
    const { rest, words } = besideGivingUp(message ?? "");
    const read = lexicon.read(rest);
    const named = readClass(errorClass ?? "");
    const coded = readCode(code ?? "");
    const hints = [
      read,
      named,
      coded,
      readCode(ecosystem ?? ""),
      readCode(labels(headers)),
      ...causes,
      ...frames.slice(0, telling),
    ];
    const said = [...named.said, ...coded.said, ...causes.flatMap((cause) => cause.said)];
    const gaveUp = words ?? named.gaveUp ?? coded.gaveUp;
    return { evidence, message: read, gaveUp, said, causes, frames, systems: systemsOf(hints) };
  };
}

function systemsOf(texts: readonly { readonly systems: readonly string[] }[]): ReadonlySet<string> {
  const systems = new Set<string>();
  for (const { systems: named } of texts) for (const system of named) systems.add(system);
  return systems;
}

/** The class without its package; `Error` and the like say nothing, so what they belong to is taken along. */
function ownName(name: string): string {
  const last = lastName(name);
  if (!/^(Error|Exception|error|exception|Err|Failure)$/.test(last)) return last;
  return name
    .split(/[.:\\$]+/)
    .slice(-2)
    .join(" ");
}

/** MongoDB drivers say in labels what an error is. */
function labels(headers: Readonly<Record<string, string>>): string {
  return headers.errorLabels ?? "";
}

const place =
  /^\s*(?:at |bei |en |在 |à |#\d+ |from |goroutine |File "|\[\{)|\.(?:java|kt|scala|py|rb|[cm]?js|tsx?|go|php|cs|exs?|erl|rs|pl|swift|clj)\b[:(" ]|:\d+(?::\d+)?\)?$|:\d+ in |\(anonymous\)|<anonymous>/;

const decoder =
  /JSON\.parse|json[._]decode|jackson|gson|Unmarshal|[Dd]eserializ|[Dd]ecode[rd]?\b|protobuf|avro|fromJSON|parse_raw|Newtonsoft|System\.Text\.Json|json\/decoder|simplejson|Int(?:eger|32|64)\.(?:parse|Parse)|DateTimeParse|strptime|validat(?:e|or)|zod|ajv|joi|marshmallow|pydantic/;
/** HTTP clients that read an answer: what could not be decoded there is not the message. */
const answer =
  /requests\/models\.py.* json|Response\.json|node-fetch|aiohttp.*json|axios|HttpContent|ReadFromJson|\.json\(\)|Faraday|RestTemplate|WebClient|httpx/;
const driver =
  /^\s*at (?:oracle\.|com\.mysql|org\.postgresql|com\.microsoft\.sqlserver|io\.netty|sun\.nio|java\.net|sun\.security\.ssl|org\.apache\.activemq\.transport|redis\.clients)/;

function lineOf(text: string, lexicon: Lexicon): Line {
  const isFrame = !text.startsWith("Caused by") && !text.includes("--->") && place.test(text);
  const read = lexicon.read(isFrame ? text : besideGivingUp(text).rest);
  const said = isFrame ? [] : topicsIn("cause", read);
  return { text, systems: read.systems, said, isFrame, does: isFrame ? deedOf(text) : null };
}

function deedOf(frame: string): Line["does"] {
  if (answer.test(frame)) return "reads an answer";
  if (decoder.test(frame)) return "decodes";
  return driver.test(frame) ? "drives a connection" : null;
}
