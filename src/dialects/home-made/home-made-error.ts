import { type ErrorText, isJavaWrapper, javaError, pythonError, v8Error } from "../error-texts.ts";
import { type Synonym, valuesUnder } from "./synonyms.ts";

export interface HomeMadeError extends ErrorText {
  readonly errorCode: string | undefined;
  readonly stack: string | undefined;
}

type Texts = ReadonlyMap<string, string>;

/**
 * Class and message as a team wrote them: each under a name of its own, both in one text, or the class where one would
 * look for a reason.
 */
export function homeMadeError(texts: Texts): HomeMadeError {
  const find = (synonym: Synonym) => valuesUnder(texts, synonym)[0];
  const stack = find("stack");
  const thrown = valuesUnder(texts, "thrown").find(isClassName);
  const { errorClass, errorMessage } = asWritten(find("errorClass") ?? thrown, valuesUnder(texts, "errorMessage"));
  const isWrapped = isJavaWrapper(errorClass ?? "") && stack !== undefined;
  const fromStack = errorClass === undefined || isWrapped ? stackError(stack) : {};
  if (isWrapped && fromStack.errorClass !== undefined) return { ...fromStack, errorCode: find("errorCode"), stack };
  const split = errorClass === undefined ? splitError(errorMessage) : withoutClass(errorClass, errorMessage);
  return {
    errorClass: (errorClass ?? fromStack.errorClass ?? split.errorClass)?.replace(/^builtins\./, ""),
    errorMessage: split.errorMessage ?? fromStack.errorMessage,
    errorCode: find("errorCode"),
    stack,
  };
}

function asWritten(named: string | undefined, texts: readonly string[]): ErrorText {
  if (named !== undefined) return { errorClass: named, errorMessage: texts.find((text) => text !== named) };
  const errorClass = texts.find((text) => isClassName(text) && (texts.length > 1 || /(Error|Exception)$/.test(text)));
  return { errorClass, errorMessage: texts.find((text) => text !== errorClass) };
}

/** One word, with a package or of several words run together. */
function isClassName(text: string): boolean {
  return (
    text.length < 200 &&
    /^(?:[A-Za-z_]\w*[.\\]|[A-Za-z_]\w*::)*(?:[A-Z][a-z0-9]+){1,2}[A-Z]?\w*$/.test(text) &&
    isCompound(text)
  );
}

function isCompound(text: string): boolean {
  return /[.\\:]|[a-z0-9][A-Z]/.test(text);
}

/** Parts of a program that put their name before what they say. */
const speaker = /(Service|Client|Handler|Consumer|Producer|Controller|Repository|Manager|Worker|Listener|Gateway)$/;

/** `TypeError: message`. A word before a colon is a class only if it is written like one. */
function splitError(text: string | undefined): ErrorText {
  const colon = text?.indexOf(": ") ?? -1;
  const head = text?.slice(0, Math.max(colon, 0)) ?? "";
  const isSplit = colon > 0 && isClassName(head) && !speaker.test(head);
  return isSplit ? { errorClass: head, errorMessage: text?.slice(colon + 2) } : { errorMessage: text };
}

/** The class is said twice. */
function withoutClass(errorClass: string, text: string | undefined): ErrorText {
  const short = errorClass.split(/[.\\]|::/).at(-1);
  const repeated = [errorClass, short].find((name) => text?.startsWith(`${name}: `));
  return { errorMessage: repeated === undefined ? text : text?.slice(repeated.length + 2) };
}

function stackError(stack: string | undefined): ErrorText {
  if (stack?.startsWith("Traceback (most recent call last):")) return pythonError(stack);
  if (stack?.includes("\n\tat ")) return javaError(stack);
  return stack?.includes("\n    at ") ? v8Error(stack) : {};
}
