import { OfficeError } from "../../domain/errors.ts";
import type { KafkaBrokerAddress } from "../../transports/kafka/driver.ts";
import type { ClusterSettings } from "../../transports/kafka/platformatic/cluster.ts";

const mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

export interface KafkaAddress extends Pick<ClusterSettings, "brokers" | "tls"> {
  readonly sasl:
    | { readonly mechanism: (typeof mechanisms)[number]; readonly username: string; readonly password: string }
    | undefined;
}

/**
 * `kafka://user:password@host:port,host:port?sasl=scram-sha-256`, or `kafkas://` for TLS. Not a URL in the strict sense:
 * those have one host.
 */
export function parseKafkaAddress(text: string): KafkaAddress {
  const [, secure, user, password, hosts = "", query] =
    /^kafka(s?):\/\/(?:([^:@/]*):([^@/]*)@)?([^@/?#]+)\/?(?:\?(.*))?$/.exec(text) ?? [];
  const brokers = hosts.split(",").map(brokerOf);
  const wanted = (new URLSearchParams(query ?? "").get("sasl") ?? "PLAIN").toUpperCase();
  const mechanism = mechanisms.find((each) => each === wanted);
  if (!brokers.every((broker) => broker !== undefined) || mechanism === undefined) throw badAddress();
  const sasl = { mechanism, username: decodeURIComponent(user ?? ""), password: decodeURIComponent(password ?? "") };
  return { brokers, tls: secure === "s" ? {} : undefined, sasl: user === undefined ? undefined : sasl };
}

const usualPort = 9092;

function brokerOf(text: string): KafkaBrokerAddress | undefined {
  const [, host, port] = /^(?:\[?([^[\]:,]+|[0-9a-f:]+)\]?)(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  return host === undefined ? undefined : { host, port: port === undefined ? usualPort : Number(port) };
}

/** It is not quoted: there may be a password in it. */
function badAddress(): OfficeError {
  const form = "kafka://host:port,host:port, with user:password@ in front where it asks for them";
  const message = `\`url\` must be an address of the form ${form}, and ?sasl=${mechanisms.join(" or ").toLowerCase()}.`;
  return new OfficeError("INVALID_CONFIG", message, { details: { key: "url" } });
}
