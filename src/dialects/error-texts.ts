/** Class and message of an error, from the text its language prints. Both are what the program that failed calls them. */
export interface ErrorText {
  readonly errorClass?: string | undefined;
  readonly errorMessage?: string | undefined;
}

/** Classes that only say that something else failed. */
const javaWrappers =
  /(^|\.)(ListenerExecutionFailedException|MessageHandlingException|MessagingException|TimestampedException|BatchListenerFailedException|KafkaException)$|^org\.springframework\.core\.retry\.RetryException$/;

/**
 * The first of a Java chain that is not a wrapper: what the handler threw. The last `Caused by:` is the technical root
 * and often misleads; causes of suppressed exceptions are indented and not part of the chain.
 */
export function javaError(stack: string | undefined): ErrorText {
  const chain = stack === undefined ? [] : javaChain(withoutFailedMessage(stack));
  return chain.find(({ errorClass }) => !isJavaWrapper(errorClass ?? "")) ?? chain.at(-1) ?? {};
}

/** Whether a class only says that something else failed. */
export function isJavaWrapper(errorClass: string): boolean {
  return javaWrappers.test(errorClass);
}

/**
 * What a Spring listener threw, from the message of its wrapper alone: `Listener failed; text`, and before version 2.8
 * `Listener failed; nested exception is Class: text`, said twice in some.
 */
export function listenerError(errorClass: string | undefined, message: string | undefined): ErrorText {
  if (!isJavaWrapper(errorClass ?? "")) return { errorClass, errorMessage: message };
  const [outer = "", nested] = message?.split("; nested exception is ") ?? [];
  const found = /^([\w$.]+)(?:: ([\s\S]*))?$/.exec(nested ?? "");
  if (found !== null) return { errorClass: found[1], errorMessage: found[2] };
  const text = /^Listener (?:failed|method '[^']*' threw exception); ([\s\S]*)$/.exec(outer)?.[1];
  return { errorMessage: text === "" ? undefined : (text ?? message) };
}

/** What Spring could not deserialise never reached a listener, though its counters say 1. */
export function failedToDeserialize(stack: string | undefined): boolean {
  return stack?.includes("org.springframework.kafka.support.serializer.DeserializationException: ") ?? false;
}

/** The cause that a header names, unless it only wraps another. */
export function causeClass(errorClass: string | undefined): ErrorText {
  return errorClass === undefined || isJavaWrapper(errorClass) ? {} : { errorClass };
}

/** Spring hands on bytes that it could not convert, and then they are not what the function takes. It never ran. */
export function failedToConvert(stack: string | undefined): boolean {
  return stack?.includes("ClassCastException: class [B cannot be cast to ") ?? false;
}

function javaChain(stack: string): ErrorText[] {
  return stack.split(/^Caused by: /m).flatMap((block) => {
    const found = /^([\w$.]+)(?:: |$|\r?\n)/.exec(block);
    return found?.[1] === undefined ? [] : [{ errorClass: found[1], errorMessage: javaMessage(block, found[0]) }];
  });
}

/** A message of several lines runs to the first frame. */
function javaMessage(block: string, opening: string): string | undefined {
  if (!opening.endsWith(": ")) return undefined;
  const frames = /\r?\n(?:\tat |\t\.\.\. \d+ (?:more|common)|\tSuppressed: )/.exec(block);
  const message = block.slice(opening.length, frames?.index);
  return frames === null ? message.replace(/\r?\n$/, "") : message;
}

const failedMessage = /failedMessage=GenericMessage \[|\}\]\r?\n/g;

/** Spring prints the message that failed, and in its headers may be the whole stack of an earlier round, with another. */
function withoutFailedMessage(stack: string): string {
  let depth = 0;
  let from = 0;
  let kept = "";
  for (const { 0: mark, index } of stack.matchAll(failedMessage)) {
    const opens = mark.startsWith("failed");
    if (opens && depth++ === 0) kept += stack.slice(from, index);
    if (!opens && depth > 0 && --depth === 0) from = index + 2;
  }
  return depth === 0 ? kept + stack.slice(from) : stack;
}

/** The last line that is not indented, and what follows it: `pkg.Error: message`. */
export function pythonError(traceback: string | undefined): ErrorText {
  if (traceback === undefined) return {};
  const start = traceback.lastIndexOf("\nTraceback (most recent call last):");
  const block = traceback.slice(start < 0 ? 0 : start + 1);
  const found = /\n([A-Za-z_][\w.]*)(?:: ([\s\S]*))?\s*$/.exec(afterFrames(block));
  if (found === null) return {};
  return { errorClass: found[1], errorMessage: found[2]?.replace(/\n$/, "") };
}

/** What comes after the last frame of a traceback: frames are indented, and so is the source under them. */
function afterFrames(block: string): string {
  const last = block.lastIndexOf('\n  File "');
  const rest = last < 0 ? block : block.slice(last + 1);
  const end = /\n(?! )/.exec(rest);
  return end === null ? "" : rest.slice(end.index);
}

/** The first line of a V8 stack, up to the first frame: `TypeError: message`. */
export function v8Error(stack: string | undefined): ErrorText {
  const found = /^(?:Uncaught )?([A-Za-z_$][\w$.]*(?: \[[\w]+\])?)(?:: ([\s\S]*?))?(?:\n {4}at |$)/.exec(stack ?? "");
  return found === null ? {} : { errorClass: found[1]?.replace(/ \[\w+\]$/, ""), errorMessage: found[2] };
}

/** `Namespace.Type: message`, up to the first frame or inner exception. */
export function dotnetError(text: string | undefined): ErrorText {
  const found = /^([A-Za-z_][\w.+`]*)(?: \(0x[\da-fA-F]+\))?: ([\s\S]*?)(?:\r?\n {3}at |\r?\n ---> | ---> |$)/.exec(
    text ?? "",
  );
  return found === null ? {} : { errorClass: found[1], errorMessage: found[2]?.trimEnd() };
}

/** PHP prints the innermost first; what was thrown is the last block that begins with `Next `. */
export function phpError(text: string | undefined): ErrorText {
  const block = text?.split("\n\nNext ").at(-1) ?? "";
  const end = block.indexOf("\nStack trace:");
  const head = end < 0 ? block : block.slice(0, end);
  const file = head.lastIndexOf(" in ");
  const found = /^([A-Za-z_\\][\w\\]*)(?:: ([\s\S]*))?$/.exec(file < 0 ? head : head.slice(0, file));
  return found === null ? {} : { errorClass: found[1], errorMessage: found[2] };
}

/** Python's `repr` of an exception: `PaymentError('Card declined')`. */
export function reprError(text: string | undefined): ErrorText {
  const found = /^([A-Za-z_][\w.]*)\((?:(['"])([\s\S]*?)\2)?,?\)$/.exec(text ?? "");
  if (found === null) return {};
  return { errorClass: found[1], errorMessage: found[3]?.replace(/\\n/g, "\n").replace(/\\(['"\\])/g, "$1") };
}
