import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Trick } from "./attempt.ts";
import { honestMetadata, type Situation } from "./provider.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, situation: Situation) => void;

const endpoints = {
  metadata: "/.well-known/openid-configuration",
  keys: "/jwks",
  token: "/token",
  userinfo: "/userinfo",
} as const;

/** The userinfo endpoint is asked where the ID token has no groups. */
const withoutGroups = { claims: (honest: object) => ({ ...honest, groups: undefined }) } as const;

/** The same answer at each of its endpoints. */
const everywhere = (name: string, answer: Answer, refusal: RegExp): Trick[] =>
  Object.entries(endpoints).map(([endpoint, path]) => ({
    name: `${name}: ${endpoint}`,
    behavior: { ...withoutGroups, answers: { [path]: answer } },
    refusal,
  }));

const at = (name: string, endpoint: keyof typeof endpoints, answer: Answer, refusal: RegExp): Trick => ({
  name,
  behavior: { ...withoutGroups, answers: { [endpoints[endpoint]]: answer } },
  refusal,
});

/** Does not end before the other side has had enough. */
const endless: Answer = (_request, response) => {
  const chunk = Buffer.alloc(65_536, "[");
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

const silent: Answer = () => {};

const drip: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 200);
  response.on("close", () => clearInterval(timer));
};

const bomb = gzipSync(Buffer.alloc(200_000_000, " "));
const compressed: Answer = (_request, response) =>
  void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);

const elsewhere: Answer = (_request, response, { internal }) =>
  void response.writeHead(307, { location: `${internal}/latest/meta-data/` }).end();

const cutOff: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
  response.write('{"issuer":');
  response.socket?.destroy();
};

const page: Answer = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<script>alert(1)</script>");

const say =
  (text: string): Answer =>
  (_request, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(text);

const anyRefusal = /\S/;

/** Answers that are too much, too slow, or lead elsewhere. */
export const answerTricks: readonly Trick[] = [
  ...everywhere("an answer without end", endless, /more than 1 MB/),
  ...everywhere("no answer", silent, /did not answer in time|outbound\.timed_out|10000 ms|in time/),
  ...everywhere("a byte now and then", drip, /in time|10000 ms/),
  ...everywhere("200 MB in 200 kB (gzip)", compressed, anyRefusal),
  ...everywhere("a redirect to an address inside", elsewhere, anyRefusal),
  ...everywhere("an answer that breaks off", cutOff, anyRefusal),
  ...everywhere("a page in place of JSON", page, anyRefusal),
  ...everywhere("a list in place of an object", say("[]"), anyRefusal),
  ...everywhere("null in place of an object", say("null"), anyRefusal),
  ...everywhere("JSON of 400,000 levels", say("[".repeat(400_000)), anyRefusal),
  ...everywhere(
    "bytes that are not UTF-8",
    (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    },
    anyRefusal,
  ),
  at("a token of an unknown kind", "token", say('{"access_token":"a","token_type":"mac","id_token":"x"}'), anyRefusal),
  at(
    "an access token that is an object",
    "token",
    say('{"access_token":{},"token_type":"Bearer","id_token":"x"}'),
    anyRefusal,
  ),
  at(
    "another person at the userinfo endpoint",
    "userinfo",
    say('{"sub":"sub-root","groups":["payments-ops"]}'),
    /another person/,
  ),
  at("no one at the userinfo endpoint", "userinfo", say('{"groups":["payments-ops"]}'), anyRefusal),
  at(
    "the subject twice at the userinfo endpoint",
    "userinfo",
    say('{"sub":"sub-ana","sub":"sub-root","groups":["payments-ops"]}'),
    /another person/,
  ),
  at(
    "a subject that is a list at the userinfo endpoint",
    "userinfo",
    say('{"sub":["sub-ana"],"groups":["payments-ops"]}'),
    anyRefusal,
  ),
  at(
    "an error with tags and control characters",
    "token",
    (_request, response) => {
      const error = {
        error: "invalid_grant",
        error_description: "\u001b[31m<script>alert(1)</script>\r\nset-cookie: a=b\u202e",
      };
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(error));
    },
    /^[^\p{Cc}\p{Cf}\p{Zl}]+$/u,
  ),
  at(
    "an error of 900,000 letters",
    "token",
    (_request, response) => {
      const error = { error: "invalid_grant", error_description: "e".repeat(900_000) };
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(error));
    },
    /^.{1,1500}$/,
  ),
  at(
    "an error that is an object",
    "token",
    (_request, response) =>
      void response
        .writeHead(400, { "content-type": "application/json" })
        .end('{"error":{"a":1},"error_description":7}'),
    anyRefusal,
  ),
  at(
    "a challenge in the header with words of its own",
    "token",
    (_request, response) =>
      void response
        .writeHead(401, { "www-authenticate": 'Basic realm="<b>", error="invalid_client", error_description="<b>"' })
        .end(),
    /did not accept who DLO says it is|\S/,
  ),
  at(
    "cookies of its own",
    "token",
    (_request, response) =>
      void response.writeHead(400, { "set-cookie": ["dlo_session=1; Path=/", "__Host-dlo=1"] }).end("{}"),
    anyRefusal,
  ),
];

const points = (name: string, change: (situation: Situation) => object): Trick => ({
  name,
  behavior: { ...withoutGroups, metadata: (honest, situation) => ({ ...honest, ...change(situation) }) },
  refusal: anyRefusal,
});

/** What discovery says, and where it points. */
export const discoveryTricks: readonly Trick[] = [
  points("metadata of another issuer", () => ({ issuer: "https://elsewhere.example" })),
  points("metadata of the issuer with a slash more", ({ issuer }) => ({ issuer: `${issuer}/` })),
  points("metadata of no issuer", () => ({ issuer: undefined })),
  points("metadata of every tenant", () => ({ issuer: "http://127.0.0.1/{tenantid}/v2.0" })),
  points("a token endpoint inside", ({ internal }) => ({ token_endpoint: `${internal}/token` })),
  points("keys inside", ({ internal }) => ({ jwks_uri: `${internal}/keys` })),
  points("a userinfo endpoint inside", ({ internal }) => ({ userinfo_endpoint: `${internal}/userinfo` })),
  points("a token endpoint with the machine's credentials", () => ({
    token_endpoint: "http://169.254.169.254/latest/",
  })),
  points("a token endpoint in a file", () => ({ token_endpoint: "file:///etc/passwd" })),
  points("keys in the address", () => ({ jwks_uri: 'data:application/json,{"keys":[]}' })),
  points("a token endpoint that is no address", () => ({ token_endpoint: "not an address" })),
  points("a token endpoint that is a list", () => ({ token_endpoint: ["a"] })),
  points("a token endpoint with a password in it", ({ issuer }) => ({
    token_endpoint: `${issuer.replace("//", "//a:b@")}/token`,
  })),
  points("a page that is a script", () => ({ authorization_endpoint: "javascript:alert(1)" })),
  points("a page in a file", () => ({ authorization_endpoint: "file:///etc/passwd" })),
  points("a page at another host without TLS", () => ({ authorization_endpoint: "http://elsewhere.example/" })),
  points("no page", () => ({ authorization_endpoint: undefined })),
  points("client authentication that no one knows", () => ({ token_endpoint_auth_methods_supported: ["none"] })),
  {
    name: "the issuer twice, the second another one",
    behavior: {
      metadata: (_honest, situation) =>
        JSON.stringify(honestMetadata(situation)).replace(/\}$/, ',"issuer":"https://elsewhere.example"}'),
    },
    refusal: anyRefusal,
  },
];
