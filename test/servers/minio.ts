import { createHash, createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "./certificate.ts";
import { releaseProgram, useReleaseProgram } from "./release-program.ts";
import { freePort } from "./server-process.ts";

const program = releaseProgram("minio", "minio");

/** Why there is no MinIO to test with; undefined where there is one. */
export const noMinio = program.missing;

/** As AWS clients read them from the environment. */
export interface S3Keys {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_SESSION_TOKEN?: string;
}

/** Who may do everything there. */
export const minioRoot: S3Keys = { AWS_ACCESS_KEY_ID: "minioadmin", AWS_SECRET_ACCESS_KEY: "minioadmin" };

export interface UsedMinio {
  readonly endpoint: string;
  /** PEM; null where it is not encrypted. */
  readonly certificate: string | null;
}

/** A MinIO for the tests of one `describe`. Its address may be read once those run. */
export function useMinio({ isEncrypted = false } = {}): UsedMinio {
  const certificate = isEncrypted ? makeCertificate() : null;
  const server = useReleaseProgram(program, async (folder, port) => {
    const certificates = join(folder, "certificates");
    mkdirSync(certificates);
    if (certificate !== null) {
      writeFileSync(join(certificates, "public.crt"), certificate.certificate);
      writeFileSync(join(certificates, "private.key"), certificate.key);
    }
    const places = ["--address", `127.0.0.1:${port}`, "--console-address", `127.0.0.1:${await freePort()}`];
    return ["server", join(folder, "data"), ...places, "--certs-dir", certificates, "--quiet"];
  });
  return {
    get endpoint() {
      return `${isEncrypted ? "https" : "http"}://127.0.0.1:${server.port}`;
    },
    certificate: certificate?.certificate ?? null,
  };
}

/** Keys that may do what this policy says and no more, for an hour: AssumeRole, as AWS has it. */
export async function minioKeys(endpoint: string, policy: object): Promise<S3Keys> {
  const asked = {
    Action: "AssumeRole",
    Version: "2011-06-15",
    DurationSeconds: "3600",
    Policy: JSON.stringify(policy),
  };
  const body = new URLSearchParams(asked).toString();
  const response = await fetch(endpoint, { method: "POST", body, headers: signed(endpoint, body) });
  const text = await response.text();
  const part = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1] ?? "";
  if (!response.ok) throw new Error(`MinIO gave no keys: ${text}`);
  return {
    AWS_ACCESS_KEY_ID: part("AccessKeyId"),
    AWS_SECRET_ACCESS_KEY: part("SecretAccessKey"),
    AWS_SESSION_TOKEN: part("SessionToken"),
  };
}

/** Signature Version 4, by root. */
function signed(endpoint: string, body: string): Record<string, string> {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/us-east-1/sts/aws4_request`;
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const keyed = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();
  const type = "application/x-www-form-urlencoded";
  const names = "content-type;host;x-amz-content-sha256;x-amz-date";
  const headers = [
    `content-type:${type}`,
    `host:${new URL(endpoint).host}`,
    `x-amz-content-sha256:${hash(body)}`,
    `x-amz-date:${time}`,
  ];
  const request = ["POST", "/", "", ...headers, "", names, hash(body)].join("\n");
  const key = scope.split("/").reduce<Buffer | string>(keyed, `AWS4${minioRoot.AWS_SECRET_ACCESS_KEY}`);
  const signature = keyed(key, ["AWS4-HMAC-SHA256", time, scope, hash(request)].join("\n")).toString("hex");
  const credential = `${minioRoot.AWS_ACCESS_KEY_ID}/${scope}`;
  return {
    "content-type": type,
    "x-amz-content-sha256": hash(body),
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
