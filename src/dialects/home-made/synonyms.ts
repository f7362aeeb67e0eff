import { memo } from "../../domain/memo.ts";

/**
 * What people call the facts of a failure when they write them down themselves. Names are compared without case, dashes,
 * underscores and dots, and without what only says "this is about a dead letter".
 */
const synonyms = {
  source: words("originaltopic sourcetopic originalqueue sourcequeue originalsubject sourcesubject"),
  failedSource: words("failedtopic failedqueue failedsubject origintopic originqueue fromtopic fromqueue"),
  bareSource: words("topic queue subject"),
  partition: words("originalpartition sourcepartition failedpartition"),
  barePartition: words("partition"),
  offset: words("originaloffset sourceoffset failedoffset originalsequence sourcesequence"),
  bareOffset: words("offset sequence streamsequence"),
  errorClass: words(
    `errorclass errortype errorname exceptionclass exceptiontype exceptionname exceptionfqcn exceptionclassname
    failureclass failuretype`,
  ),
  errorMessage: words(
    `errormessage exceptionmessage failuremessage failedmessage errorreason errordescription errordetail errortext error
    exception failurereason failedreason reason`,
  ),
  /** Either the class, or all that is known in one text. */
  thrown: words("exception error"),
  errorCode: words("errorcode exceptioncode"),
  stack: words(
    `stacktrace stack traceback exceptionstacktrace exceptionstack exceptiontrace errorstacktrace errorstack errortrace
    errortraceback`,
  ),
  attempts: words("attempts attemptcount attemptnumber totalattempts deliverycount deliveryattempts attempt"),
  retries: words("retrycount retries"),
  firstFailedAt: words("firstfailureat firstfailedat firstfailuretime firstfailuretimestamp firstfailure"),
  lastFailedAt: words(
    `failedat lastfailureat lastfailedat lastattemptedat lastfailuretimestamp lastfailuretime failuretimestamp
    failuretime failedtimestamp routedatutc routedat deadletteredat dlqpublishedat`,
  ),
  bareTime: words("timestamp"),
  exchange: words("originalexchange sourceexchange"),
  routingKey: words("originalroutingkey sourceroutingkey"),
  messageId: words("originalmessageid messageid"),
  consumer: words("originalconsumergroup sourceconsumergroup consumergroup failedby consumer"),
  /** Nothing to read here, but written when a message was given up, all the same. */
  company: words(
    `originaltimestamp originaltimestamptype originalkey originalstream originalmessageid originalconsumergroup origin
    failurecategory maxretries maxattempts`,
  ),
} satisfies Record<string, readonly string[]>;

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

export type Synonym = keyof typeof synonyms;

/** What only says that it is about a dead letter; `x` only before what could not begin with it. */
const prefix = /^(?:x(?=[a-z]{4}))?(?:cedeadletter|deadletter|dlq)?/;

/** `x-original-topic`, `dlq.original_topic` and `originalTopic` are one name. */
const plainName = memo((name) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(prefix, ""),
);

/** Values by their plain name; of one that stands twice the first. */
export function byPlainName<Value>(entries: Iterable<readonly [string, Value]>): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const [name, value] of entries) {
    const plain = plainName(name);
    if (!found.has(plain)) found.set(plain, value);
  }
  return found;
}

/** The value of the first name that is there. */
export function valueUnder<Value>(
  values: ReadonlyMap<string, Value>,
  ...wanted: readonly Synonym[]
): Value | undefined {
  for (const synonym of wanted) {
    for (const name of synonyms[synonym]) {
      const value = values.get(name);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The values of all names that are there, the most telling first. */
export function valuesUnder<Value>(values: ReadonlyMap<string, Value>, ...wanted: readonly Synonym[]): Value[] {
  const names = wanted.flatMap((synonym) => synonyms[synonym]);
  return names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [value];
  });
}

/** What belongs to the message itself, though a failure's facts may be read from it too. */
const ofTheMessage: ReadonlySet<Synonym> = new Set<Synonym>(["messageId", "consumer"]);

const namesOfAFailure: ReadonlySet<string> = new Set(
  (Object.keys(synonyms) as Synonym[]).flatMap((synonym) => (ofTheMessage.has(synonym) ? [] : synonyms[synonym])),
);

/** Whether a header was added when its message was given up. A bare `timestamp` may be the message's own. */
export function isOfAFailure(name: string): boolean {
  const plain = plainName(name);
  return namesOfAFailure.has(plain) && (plain !== "timestamp" || name.toLowerCase() !== plain);
}
