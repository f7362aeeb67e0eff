import { createPrivateKey, type KeyObject } from "node:crypto";
import type { ClientAuth, ServerMetadata } from "openid-client";
import { OfficeError } from "../../domain/errors.ts";
import { type ClientAuthMethod, clientAuthMethods, type OidcOptions } from "../../domain/identity.ts";

type Client = typeof import("openid-client");

/** How DLO proves who it is: as configured, else the first of its own ways that the metadata names. Without a word there it is the standard's default. */
export function clientAuthMethod(
  { clientAuth, privateKey, issuer }: Pick<OidcOptions, "clientAuth" | "privateKey" | "issuer">,
  { token_endpoint_auth_methods_supported: supported }: ServerMetadata,
): ClientAuthMethod {
  if (clientAuth !== null) return clientAuth;
  if (privateKey !== null) return "private_key_jwt";
  if (supported === undefined) return "client_secret_basic";
  const own = clientAuthMethods.find((method) => method !== "private_key_jwt" && supported.includes(method));
  if (own !== undefined) return own;
  const text = `${new URL(issuer).host} takes no client secret: it names ${supported.join(", ")}. Set \`signIn.oidc.privateKey\`, and register its public half there.`;
  throw new OfficeError("SIGN_IN_REFUSED", text);
}

/** Made anew for each request: a secret that was changed meanwhile counts at once. */
export async function clientAuthOf(
  client: Client,
  options: OidcOptions,
  metadata: ServerMetadata,
): Promise<ClientAuth> {
  const method = clientAuthMethod(options, metadata);
  if (method === "private_key_jwt") return signedBy(client, options, metadata);
  const secret = await options.clientSecret?.();
  if (secret === undefined)
    throw incomplete(`\`signIn.oidc.clientAuth: ${method}\` needs \`signIn.oidc.clientSecret\`.`);
  return method === "client_secret_basic" ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

async function signedBy(
  client: Client,
  { privateKey, keyId }: OidcOptions,
  metadata: ServerMetadata,
): Promise<ClientAuth> {
  const pem = await privateKey?.();
  if (pem === undefined) throw incomplete("`signIn.oidc.clientAuth: private_key_jwt` needs `signIn.oidc.privateKey`.");
  const key = readKey(pem).toCryptoKey(...algorithmOf(readKey(pem), metadata));
  return client.PrivateKeyJwt(keyId === null ? key : { key, kid: keyId });
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    // What is in the file must not be printed, and the error's own words may quote it.
    const hint = "Make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out key.pem";
    throw new OfficeError("INVALID_CONFIG", "`signIn.oidc.privateKey` is not a private key in PEM.", {
      details: { hint },
      cause: error instanceof Error && "code" in error ? error.code : undefined,
    });
  }
}

type KeyImport = Parameters<KeyObject["toCryptoKey"]>;

/** How a key of that kind signs; of the two ways of RSA, the one that the provider takes. */
function algorithmOf(
  key: KeyObject,
  { token_endpoint_auth_signing_alg_values_supported: algorithms }: ServerMetadata,
): KeyImport {
  const kind = key.asymmetricKeyType;
  if (kind === "rsa") {
    const isPss = algorithms !== undefined && !algorithms.includes("RS256") && algorithms.includes("PS256");
    return [{ name: isPss ? "RSA-PSS" : "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]];
  }
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const namedCurve = curves.get(curve ?? "");
  if (kind === "ec" && namedCurve !== undefined) return [{ name: "ECDSA", namedCurve }, false, ["sign"]];
  if (kind === "ed25519") return [{ name: "Ed25519" }, false, ["sign"]];
  throw incomplete(
    `\`signIn.oidc.privateKey\` is of a kind that signs nothing here (${curve ?? kind}). Use RSA, P-256, P-384, P-521 or Ed25519.`,
  );
}

const curves: ReadonlyMap<string, string> = new Map([
  ["prime256v1", "P-256"],
  ["secp384r1", "P-384"],
  ["secp521r1", "P-521"],
]);

function incomplete(sentence: string): OfficeError {
  return new OfficeError("INVALID_CONFIG", sentence);
}
