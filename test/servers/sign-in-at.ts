/** What is typed into a provider's page. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Follows the link by which the page lets people cancel. @default false */
  readonly cancels?: boolean;
}

/**
 * Goes to a provider as a browser does, fills in its forms and agrees to what it asks, and gives the address that it
 * leads back to: the first that begins with `origin`. For tests that look at what comes back; how it looks is for a browser.
 */
export async function signInAt(start: string, who: Credentials, origin: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = start;
  let filled: URLSearchParams | null = null;
  for (let step = 0; step < 15; step++) {
    if (at.startsWith(`${origin}/`)) return at;
    const response = await ask(at, filled, cookies);
    const page = await response.text();
    const location = response.headers.get("location");
    const cancel = who.cancels === true ? /<a\b[^>]*\shref="([^"]*\/abort)"/.exec(page)?.[1] : undefined;
    const form = location === null && cancel === undefined ? firstForm(page) : null;
    if (location === null && form === null && cancel === undefined) {
      throw new Error(`${at} answered ${response.status} with nothing to fill in: ${page.slice(0, 2_000)}`);
    }
    filled = form === null ? null : filledIn(form, who);
    at = new URL(location ?? cancel ?? attribute(form ?? "", "action") ?? at, at).href;
  }
  throw new Error(`${start} never led back to ${origin}: it is at ${at}.`);
}

async function ask(at: string, form: URLSearchParams | null, cookies: Map<string, string>): Promise<Response> {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const how = form === null ? {} : { method: "POST", body: form };
  const response = await fetch(at, { ...how, redirect: "manual", headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /max-age=0\b/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

function firstForm(page: string): string | null {
  return /<form\b[^>]*method="post"[\s\S]*?<\/form>/i.exec(page)?.[0] ?? null;
}

/** What is hidden stays as it is; where a password goes is told by its kind, and the text before it is a name. */
function filledIn(form: string, { username, password }: Credentials): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [input] of form.matchAll(/<input\b[^>]*>/gi)) {
    const [name, type = "text"] = [attribute(input, "name"), attribute(input, "type")];
    if (name === undefined || type === "checkbox") continue;
    const typed = { password, text: username, email: username }[type];
    filled.set(name, typed ?? attribute(input, "value") ?? "");
  }
  return filled;
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value?.replaceAll("&amp;", "&").replaceAll("&#x3D;", "=");
}
