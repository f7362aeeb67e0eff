import type { MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { isSqsText } from "./sqs-text.ts";

/** Which messages attributes a message has, by name. */
export type Attributes = Readonly<Record<string, MessageAttributeValue>>;

/** The one attribute that is ours. SQS takes ten of them, and one is ours. */
export const packName = "dlo";
const mostOfOthers = 9;
/** A property of this name and an attribute's: the attribute's type, where a header cannot say it. */
export const typeProperty = "attribute-type:";

const allowedName = /^(?!\.)(?!.*\.\.)(?!(aws|amazon)\.)[\w.-]{1,256}(?<!\.)$/iu;

export interface NativeHeader {
  readonly index: number;
  readonly name: string;
  readonly value: MessageAttributeValue;
}

/**
 * The headers that can be attributes of their own, which other programs read: text, whole numbers and bytes, each name
 * once, the first nine. The rest, and all of ours, is packed.
 */
export function nativeHeaders(headers: readonly Header[], properties: readonly Header[]): readonly NativeHeader[] {
  const natives: NativeHeader[] = [];
  const seen = new Set<string>();
  for (const [index, { name, value }] of headers.entries()) {
    if (natives.length === mostOfOthers) break;
    const isFirst = !seen.has(name);
    seen.add(name);
    const native = isFirst && mayBeNative(name) ? toAttribute(value, typeOf(name, properties)) : null;
    if (native !== null) natives.push({ index, name, value: native });
  }
  return natives;
}

function mayBeNative(name: string): boolean {
  // As the name of a property it would be lost, here or in the client.
  return name !== packName && name !== "__proto__" && !name.startsWith("dlo-") && allowedName.test(name);
}

function typeOf(name: string, properties: readonly Header[]): string | undefined {
  const found = properties.find((property) => property.name === typeProperty + name);
  return found?.value.type === "text" ? found.value.value : undefined;
}

/** As SQS reads numbers. */
const decimal = /^-?\d{1,38}(\.\d{1,38})?([eE][+-]?\d{1,3})?$/u;

/** Null for what SQS has no attribute for, or not without loss. */
function toAttribute(value: HeaderValue, type: string | undefined): MessageAttributeValue | null {
  if (value.type === "bytes" && value.value.length > 0) {
    return { DataType: fitting(type, ["Binary"]), BinaryValue: Uint8Array.from(value.value) };
  }
  if (value.type === "integer") return { DataType: fitting(type, ["Number"]), StringValue: String(value.value) };
  if (value.type === "text" && value.value !== "" && isSqsText(value.value)) {
    const kinds = decimal.test(value.value) ? ["String", "Number"] : ["String"];
    return { DataType: fitting(type, kinds), StringValue: value.value };
  }
  return null;
}

/** The type it came with, unless its value is another by now: SQS refuses a message over one that does not fit. */
function fitting(type: string | undefined, [usual = "String", ...others]: readonly string[]): string {
  const isFit = [usual, ...others].some((kind) => type === kind || type?.startsWith(`${kind}.`));
  return type !== undefined && isFit ? type : usual;
}

/** An attribute as a header, and its type where the header does not say it. */
export function fromAttribute(name: string, attribute: MessageAttributeValue): readonly [Header, string | null] {
  const { DataType = "String", StringValue = "", BinaryValue } = attribute;
  if (BinaryValue !== undefined) {
    return [{ name, value: { type: "bytes", value: Uint8Array.from(BinaryValue) } }, unless(DataType, "Binary")];
  }
  if (DataType.startsWith("Number") && /^(0|-?[1-9]\d{0,37})$/u.test(StringValue)) {
    return [{ name, value: { type: "integer", value: BigInt(StringValue) } }, unless(DataType, "Number")];
  }
  return [{ name, value: { type: "text", value: StringValue } }, unless(DataType, "String")];
}

function unless(type: string, usual: string): string | null {
  return type === usual ? null : type;
}

/** As SQS counts it. */
export function attributeBytes(
  name: string,
  { DataType = "", StringValue, BinaryValue }: MessageAttributeValue,
): number {
  return Buffer.byteLength(name + DataType + (StringValue ?? "")) + (BinaryValue?.length ?? 0);
}
