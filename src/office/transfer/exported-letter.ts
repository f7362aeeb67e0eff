import { z } from "zod";
import type { DeadLetter } from "../../domain/dead-letter.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { mask } from "../../domain/redaction.ts";

/** A letter's line in an export of ours. */
const exportedLine = z.object({
  v: z.literal(1),
  kind: z.literal("letter"),
  key: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .nullable()
    .default(null),
  source: z.string(),
  broker: z.string().default("unknown"),
  drainedFrom: z.string().nullable().default(null),
  headers: z.array(z.unknown()),
  properties: z.array(z.unknown()).default([]),
  messageKey: z.string().nullable().default(null),
  body: z.object({ base64: z.string().nullable(), bytes: z.int().min(0).max(2_147_483_647) }),
  failedAt: z.string().nullable().default(null),
});

export interface ExportedLetter {
  readonly letter: DeadLetter;
  readonly source: string;
  /** What tells it from others, where it was exported. */
  readonly key: Uint8Array | null;
  /** Something of it must not leave, and what is masked must not be sent: how many bytes its body has; null where it is whole. */
  readonly missingBodyBytes: number | null;
}

/** Undefined for what is no such line. */
export function readExportedLine(json: unknown): ExportedLetter | undefined {
  const { success, data } = exportedLine.safeParse(json);
  if (!success) return undefined;
  const failedAt = data.failedAt === null ? Number.NaN : Date.parse(data.failedAt);
  const isMasked = data.body.base64 === null || JSON.stringify([data.headers, data.properties]).includes(mask);
  return {
    source: data.source,
    key: data.key === null ? null : Buffer.from(data.key, "hex"),
    missingBodyBytes: isMasked ? data.body.bytes : null,
    letter: {
      broker: data.broker,
      queue: data.drainedFrom,
      message: {
        body: Buffer.from(isMasked ? "" : (data.body.base64 ?? ""), "base64"),
        headers: data.headers.map(readHeader),
        properties: data.properties.map(readHeader),
        key: data.messageKey === null ? null : Buffer.from(data.messageKey, "base64"),
      },
      partition: null,
      offset: null,
      timestamp: Number.isNaN(failedAt) ? null : failedAt,
      exchange: null,
      routingKey: null,
      redelivered: false,
    },
  };
}

function readHeader(written: unknown): Header {
  const [name, type, value] = Array.isArray(written) ? (written as readonly unknown[]) : [];
  return { name: String(name), value: readValue(type, value) };
}

function readValue(type: unknown, value: unknown): HeaderValue {
  switch (type) {
    case "bytes":
      return { type, value: Buffer.from(String(value), "base64") };
    case "integer":
    case "timestamp":
      return { type, value: /^-?\d{1,30}$/.test(String(value)) ? BigInt(String(value)) : 0n };
    case "double":
      return { type, value: Number(value) };
    case "boolean":
      return { type, value: value === true };
    case "null":
      return { type, value: null };
    case "list":
      return { type, value: listOf(value).map((each) => readValue(listOf(each)[0], listOf(each)[1])) };
    case "table":
      return { type, value: listOf(value).map(readHeader) };
    default:
      return { type: "text", value: String(value) };
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
