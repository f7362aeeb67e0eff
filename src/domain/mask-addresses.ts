const address = /\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){1,5})\b/g;

/** The text with what stands for each address of a person in it, and with all else that has an @ as it is. */
export function maskAddresses(text: string, mask: string): string {
  let shown = "";
  let from = 0;
  address.lastIndex = 0;
  for (let found = address.exec(text); found !== null; found = address.exec(text)) {
    const [all, local = "", domain = ""] = found;
    const end = found.index + all.length;
    if (isOfAPerson(local, domain, text.slice(Math.max(0, found.index - 3), found.index), text.slice(end, end + 20))) {
      shown += text.slice(from, found.index) + mask;
      from = end;
      // Its domain may be the name of another address: `orders@1.8.2@shop.example`.
    } else address.lastIndex = found.index + local.length + 1;
  }
  return shown + text.slice(from);
}

function isOfAPerson(local: string, domain: string, before: string, after: string): boolean {
  return !isVersion(domain) && !isRepository(local, before, after) && !isNode(local, domain);
}

/** `1.8.2`, `v4.1.1`, `18.2.0_react`, also an IP address: no domain of the Internet ends in a name that begins with a digit. */
const digits = /^v?\d[\w-]*(?:\.(?:\d[\w-]*|x))+$/i;

/** `5.3.0.RELEASE`, `1.8.2-rc.next`, `1.3.0.tgz`. Some of these are top-level domains too, but nobody has three numbers before one. */
const named =
  /^v?\d+\.\d[\w-]*\.\d[\w-]*(?:\.[\w-]+)?\.(?:release|final|ga|alpha|beta|rc|pre|preview|canary|next|nightly|snapshot|dev|tgz|tar|gz|zip|jar|[cm]?js|whl|gem|nupkg)$/i;

function isVersion(domain: string): boolean {
  return digits.test(domain) || named.test(domain);
}

/** `git@github.com:org/repo`, `ssh://git@github.com/org/repo`, and what ssh says when it may not. */
function isRepository(local: string, before: string, after: string): boolean {
  return local === "git" && (before === "://" || /^:(?:[\w~/.-]| Permission denied)/.test(after));
}

/** `celery@ip-10-0-1-12.ec2.internal`: processes that are called by their machine, where no mail is delivered. */
function isNode(local: string, domain: string): boolean {
  const isProcess = /^(?:celery|worker|rabbit|rabbitmq|ejabberd|emqx|couchdb|riak)[\d_-]*$/i.test(local);
  return isProcess && /\.(?:internal|local|localdomain|lan)$/i.test(domain);
}
