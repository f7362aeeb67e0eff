import { OfficeError } from "../../domain/errors.ts";
import type { SqsConnectionParts } from "./connection.ts";

export type SqsPlace = Pick<SqsConnectionParts, "region" | "endpoint" | "credentials">;

/** The region in a name like `sqs.eu-west-1.amazonaws.com` or `vpce-1.sqs.eu-west-1.vpce.amazonaws.com`. */
const regionInHost = /(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d+)\./u;
const amazonsOwn = /^sqs\.[\w-]+\.amazonaws\.com(\.cn)?$/u;

/**
 * Where an address leads: `https://sqs.eu-west-1.amazonaws.com`, `sqs://eu-west-1`, or another server that speaks SQS, as
 * `http://127.0.0.1:9324`. Who we are to it is found as AWS clients find it, unless the address says so.
 */
export function sqsPlace(address: string): SqsPlace {
  const url = URL.parse(address);
  if (url === null || !/^(https?|sqs):$/u.test(url.protocol)) throw noAddress();
  const credentials = credentialsIn(url);
  if (url.protocol === "sqs:" && url.port === "" && !url.hostname.includes(".")) {
    return { region: url.hostname, endpoint: null, credentials };
  }
  const region = url.searchParams.get("region") ?? regionInHost.exec(url.hostname)?.[1] ?? null;
  if (amazonsOwn.test(url.hostname)) return { region, endpoint: null, credentials };
  const scheme = url.protocol === "sqs:" ? "http:" : url.protocol;
  return { region, endpoint: `${scheme}//${url.host}`, credentials };
}

function credentialsIn({ username, password }: URL): SqsPlace["credentials"] {
  if (username === "" && password === "") return null;
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
}

/** It is not quoted: there may be a secret in it. */
function noAddress(): OfficeError {
  const forms = "https://sqs.eu-west-1.amazonaws.com, sqs://eu-west-1 or http://127.0.0.1:9324";
  return new OfficeError("INVALID_CONFIG", `\`url\` must be an address of the form ${forms}.`, {
    details: { key: "url" },
  });
}
