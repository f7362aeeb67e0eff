import type { PullLink } from "../../src/transports/pull-link.ts";
import { type Failpoint, pass } from "./failpoint.ts";

/** The same link, in which a process ends at `failpoint`. */
export function armedLink<Receipt>(link: PullLink<Receipt>, failpoint: Failpoint | undefined): PullLink<Receipt> {
  if (failpoint === undefined) return link;
  const { step } = failpoint;
  return new Proxy(link, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      const call = (...args: unknown[]) => Reflect.apply(method, target, args) as Promise<unknown>;
      return name === step ? (...args: unknown[]) => pass(step, failpoint, () => call(...args)) : call;
    },
  });
}
