import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, removeFolder } from "./server-process.ts";

/** A server's certificate for 127.0.0.1 and localhost, which vouches for itself: clients have to be told to trust it. */
export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  /** PKCS 8, PEM. */
  readonly key: string;
}

/** Valid for a day. */
export function makeCertificate(): Certificate {
  const folder = makeFolder("certificate", undefined);
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  try {
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", certificate], {
      stdio: "pipe",
    });
    return { certificate: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") };
  } finally {
    removeFolder(folder);
  }
}
