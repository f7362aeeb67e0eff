import type { Capabilities } from "../../transports/transport.ts";
import type { ContractPromise } from "../contract.ts";
import type { Bench, TransportSubject } from "./bench.ts";

/** A promise of `Transport`: who must keep it, and how it is tested. */
export interface TransportPromise {
  readonly title: string;
  /** Only transports that claim this are held to it. */
  readonly claims?: keyof Capabilities;
  /** What a subject must offer for the test; one that cannot is to be exempt, with its reason. */
  readonly offers?: "failSendsTo" | "interrupt" | "requesters";
  run(bench: Bench): Promise<void>;
}

export function asContractPromise(
  { title, claims, offers, run }: TransportPromise,
  subject: TransportSubject,
): ContractPromise<Bench> {
  return {
    title,
    waived: claims === undefined || subject.capabilities[claims] ? undefined : whyNot(claims, subject),
    async run(bench) {
      if (offers !== undefined && subject[offers] === undefined) {
        throw new Error(`${subject.name} offers no \`${offers}\`: add it, or exempt this test and say why.`);
      }
      await run(bench);
    },
  };
}

function whyNot(claim: keyof Capabilities, { shortcomings = {} }: TransportSubject): string {
  const why = shortcomings[claim];
  return why === undefined ? `does not claim ${claim}` : `does not claim ${claim}: ${why}`;
}
