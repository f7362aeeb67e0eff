import { CopyRows } from "./copy-rows.ts";
import type { PlacedLetter } from "./place-letters.ts";

export const letterColumns =
  "letters (id, source, broker, queue, drained_from, category, was, confidence, rule, side_effect, fingerprint, group_id, " +
  "grouping_version, error_class, error_message, error_code, attempts, first_failed_at, failed_at, failed_at_by, " +
  "arrived_at, changed_at, size_bytes, type, key, order_key, tenant, trace, consumer, enqueued_at, expires_at, " +
  "at_partition, at_offset, host)";

export function letterRows(placed: readonly PlacedLetter[]): Uint8Array {
  const rows = new CopyRows();
  for (const { letter, groupId, groupingVersion } of placed) {
    const { id, source, broker, queue, drainedFrom, classification, fingerprint, error, times, attempts } = letter;
    rows.row(34).uuid(id).text(source).text(broker).text(queue).text(drainedFrom);
    rows.text(classification.category).text(classification.category).real(classification.confidence);
    rows.text(classification.rule).text(classification.sideEffect);
    rows.bytes(fingerprintBytes(fingerprint.id)).uuid(groupId).integer(groupingVersion);
    rows.text(error.class).text(error.message).text(error.code).integer(attempts);
    rows.timestamp(times.firstFailedAt).timestamp(times.failedAt).text(times.failedAtBy);
    rows.timestamp(times.arrivedAt).timestamp(times.arrivedAt).integer(letter.content.sizeBytes);
    const { type, key, orderKey, tenant, trace, consumer } = letter.names;
    rows.text(type).text(key).text(orderKey).text(tenant).text(trace).text(consumer);
    rows.timestamp(times.enqueuedAt).timestamp(times.expiresAt);
    const { partition, offset, host } = letter.origin;
    rows.integer(partition).bigint(offset).text(host);
  }
  return rows.finished();
}

export const bodyColumns =
  "bodies (letter_id, body, body_ref, body_place, sha256, headers, properties, message_key, position, exchange, routing_key, reading, " +
  "stack_id, cut, keys, maybe_return_of)";

export function bodyRows(placed: readonly PlacedLetter[]): Uint8Array {
  const rows = new CopyRows();
  for (const { letter, stackId, maybeReturnOf } of placed) {
    const { content, keys } = letter;
    rows
      .row(16)
      .uuid(letter.id)
      .bytes(content.body)
      .text(content.bodyRef)
      .text(content.bodyPlace)
      .bytes(content.sha256);
    rows.bytes(content.headers).bytes(content.properties).bytes(content.messageKey);
    rows.text(content.position).text(content.exchange).text(content.routingKey).bytes(content.reading);
    rows.bytes(stackId);
    rows
      .text(content.cut === null ? null : JSON.stringify(content.cut))
      .texts(keys)
      .uuid(maybeReturnOf);
  }
  return rows.finished();
}

export const classificationColumns =
  "classifications (letter_id, n, at, category, confidence, rule, why, side_effect, runner_up, fingerprint, policy_version, words)";

export function classificationRows(placed: readonly PlacedLetter[]): Uint8Array {
  const rows = new CopyRows();
  for (const { letter, nth } of placed) {
    const { category, confidence, rule, why, sideEffect, runnerUp } = letter.classification;
    rows.row(12).uuid(letter.id).smallint(nth).timestamp(letter.times.arrivedAt).text(category).real(confidence);
    rows
      .text(rule)
      .text(why)
      .text(sideEffect)
      .text(runnerUp?.category ?? null);
    rows.bytes(fingerprintBytes(letter.fingerprint.id)).integer(letter.policyVersion).bytes(letter.words);
  }
  return rows.finished();
}

export function fingerprintBytes(id: string): Uint8Array {
  return Buffer.from(id, "hex");
}
