import { type Policy, parsePolicy } from "../../policy-file/policy-file.ts";
import type { Context } from "../command.ts";

/** A policy as text, with what refusals call the place it came from. */
export interface PolicyInput {
  readonly text: string;
  readonly file: string;
}

export async function readPolicyText(file: string, input: Context["input"]): Promise<PolicyInput> {
  let text = "";
  for await (const piece of input(file)) text += piece;
  return { text, file: file === "-" ? "stdin" : file };
}

/** Reads and checks the policy in a file, or what is piped in. */
export async function readPolicy(path: string, input: Context["input"]): Promise<Policy> {
  const { text, file } = await readPolicyText(path, input);
  return parsePolicy(text, file);
}
