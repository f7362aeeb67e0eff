import type { HttpBrowser, Trick } from "./attempt.ts";
import { type Behavior, jwt, keyOf } from "./provider.ts";

const notBegun = /begun in another browser, was used already/;
const anyRefusal = /\S/;

const back = (name: string, change: (url: URL) => void, refusal: RegExp = anyRefusal): Trick => ({
  name,
  behavior: {
    back(honest) {
      change(honest);
      return honest;
    },
  },
  refusal,
});

const walk = (
  name: string,
  walks: Trick["walk"],
  refusal: RegExp | null = notBegun,
  behavior: Behavior = {},
): Trick => ({
  name,
  behavior,
  ...(walks === undefined ? {} : { walk: walks }),
  refusal,
});

/** The cookies of sign-ins that began, and of people who are signed in. */
const forget = ({ cookies }: HttpBrowser) => cookies.clear();

/** Ways back that were not begun, were used, or were changed on the way. */
export const flowTricks: readonly Trick[] = [
  back("a way back without a state", (url) => url.searchParams.delete("state"), notBegun),
  back("a way back with another state", (url) => url.searchParams.set("state", "a".repeat(43)), notBegun),
  back("a way back with a state of 6,000 letters", (url) => url.searchParams.set("state", "a".repeat(6_000)), notBegun),
  back("a way back with a null byte in its state", (url) => url.searchParams.set("state", "\u0000"), notBegun),
  back("a way back with two states", (url) => url.searchParams.append("state", "another"), notBegun),
  back("a way back with two codes", (url) => url.searchParams.append("code", "another")),
  back("a way back without a code", (url) => url.searchParams.delete("code")),
  back("a way back with an empty code", (url) => url.searchParams.set("code", "")),
  back("a way back with a code and an error", (url) => url.searchParams.set("error", "access_denied")),
  back("a way back with another issuer", (url) => url.searchParams.set("iss", "https://elsewhere.example")),
  back("a way back with a token in its address", (url) => {
    url.searchParams.delete("code");
    url.searchParams.set("id_token", "a.b.c");
  }),
  back("a way back with a token beside the code", (url) => url.searchParams.set("id_token", "a.b.c")),
  back("an encrypted way back (response)", (url) => url.searchParams.set("response", "a.b.c")),
  back(
    "an error with tags in the way back",
    (url) => {
      url.searchParams.delete("code");
      url.searchParams.set("error", "<b>");
      url.searchParams.set("error_description", "\u001b[2J<script>alert(1)</script>\r\n\u2028");
    },
    /^[^\p{Cc}\p{Cf}\p{Zl}]+$/u,
  ),
  walk("a way back in a browser that never left", async (browser, way) => {
    const there = await browser.follow(way);
    forget(browser);
    await browser.follow(there);
  }),
  walk("a way back in a browser that began another sign-in", async (browser, way) => {
    const there = await browser.follow(way);
    forget(browser);
    await browser.begin();
    await browser.follow(there);
  }),
  walk("a way back with a cookie that was made up", async (browser, way) => {
    const there = await browser.follow(way);
    for (const name of browser.cookies.keys()) browser.cookies.set(name, "x".repeat(43));
    await browser.follow(there);
  }),
  walk("a way back that was used, with the cookies of before", async (browser, way) => {
    const there = await browser.follow(way);
    const before = new Map(browser.cookies);
    await browser.follow(there);
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
    await browser.follow(there);
  }),
  walk(
    "a code in the way back of another sign-in",
    async (browser, way) => {
      const stolen = new URL(await browser.follow(way)).searchParams.get("code") ?? "";
      forget(browser);
      const own = new URL(await browser.follow(await browser.begin()));
      own.searchParams.set("code", stolen);
      await browser.follow(own.href);
    },
    // Who issued the code sees by PKCE that it isn't ours; this provider doesn't look, and says who owns it: nonce and all.
    /nonce/,
    { claims: (honest) => ({ ...honest, nonce: "of the first" }) },
  ),
  walk(
    "a page elsewhere to come back to",
    async (browser) => {
      const address = await browser.follow(await browser.follow(await browser.begin("//elsewhere.example/")));
      if (address.includes("elsewhere")) throw new Error(`The browser was led to ${address}.`);
    },
    null,
  ),
  {
    name: "metadata that promise an issuer in the way back, which has none",
    behavior: { metadata: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }) },
    refusal: anyRefusal,
  },
  {
    name: "metadata that change between the way there and the way back",
    behavior: changingMetadata(),
    refusal: null,
  },
  {
    name: "keys that change after the token was signed",
    behavior: changingKeys(),
    refusal: anyRefusal,
  },
];

/** What was found first counts: an address inside that is named later is not asked. */
function changingMetadata(): Behavior {
  let asked = 0;
  return {
    metadata(honest, { internal }) {
      asked += 1;
      return asked === 1 ? honest : { ...honest, token_endpoint: `${internal}/token` };
    },
  };
}

function changingKeys(): Behavior {
  let asked = 0;
  return {
    keys(honest, { keys }) {
      asked += 1;
      return asked > 5 ? honest : { keys: [keyOf(keys.foreign)] };
    },
    idToken: (own, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid }, own, keys.own),
  };
}
