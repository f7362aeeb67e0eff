import { z } from "zod";
import { signInChecks } from "../../domain/sign-in-check.ts";
import { operation } from "./operation.ts";

export const checkSignIn = operation({
  name: "auth.check",
  summary: "tries at the identity provider what a sign-in needs, and signs no one in",
  role: "admin",
  input: z.object({}),
  output: z.object({
    /** Null: the configuration names none. */
    issuer: z.string().nullable(),
    /** What is registered there. */
    addresses: z.object({ redirect: z.string(), afterSignOut: z.string(), backChannelLogout: z.string() }).nullable(),
    checks: z.array(
      z.object({
        name: z.enum(signInChecks),
        /** `problem`: no one, or not everyone, can sign in; `unsure`: it can't be told from outside. */
        state: z.enum(["ok", "problem", "unsure"]),
        sentence: z.string(),
      }),
    ),
  }),
  run: async ({ checkSignIn: check }) => {
    const report = await check();
    return report === null ? { issuer: null, addresses: null, checks: [] } : { ...report, checks: [...report.checks] };
  },
});
