import type { Dialect, Facts } from "../dialect.ts";
import { toJson } from "../header-json.ts";
import { countOf, type Json, member, textOf } from "../json.ts";
import { type LetterView, lastValue, namesLike } from "../letter-view.ts";
import { deathHeaders, timesRefused } from "./rabbitmq-dlx.ts";

/** rascal, where it republished or forwarded; what it only refused carries RabbitMQ's marks alone. */
export const rascal: Dialect = { id: "rascal", read };

function read(view: LetterView): Facts | null {
  const value = lastValue(view, "rascal");
  if (value?.type !== "table") return null;
  const header = toJson(value);
  const queue = textOf(member(header, "originalQueue"));
  const recovery = queue === undefined ? undefined : member(header, "recovery", queue);
  const exchange = textOf(member(header, "originalExchange"));
  const routingKey = textOf(member(header, "originalRoutingKey"));
  return {
    source: queue,
    errorMessage: textOf(member(header, "error", "message")),
    errorCode: textOf(member(header, "error", "code")),
    attempts: queue === undefined ? undefined : attemptsOf(recovery, timesRefused(view, queue)),
    destination: queue,
    via: exchange === undefined || routingKey === undefined ? undefined : { exchange, routingKey },
    strip: [...namesLike(view, deathHeaders), ...namesLike(view, added(member(recovery, "forwarded") !== undefined))],
  };
}

/** A refusal through RabbitMQ ended an attempt, and so did giving it up. An immediate refusal erases the counter. */
function attemptsOf(recovery: Json | undefined, refused: number): number | undefined {
  if (member(recovery, "immediateNack") !== undefined) return undefined;
  const republished = countOf(member(recovery, "republished")) ?? 0;
  const isForwarded = member(recovery, "forwarded") !== undefined;
  return isForwarded || refused === 0 ? republished + refused + 1 : republished + refused;
}

/** Forwarding adds a `CC`, which would copy the replayed message there too. */
function added(wasForwarded: boolean): RegExp {
  return wasForwarded ? /^(rascal|CC)$/ : /^rascal$/;
}
