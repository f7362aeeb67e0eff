import { type Policy, parsePolicy } from "../../policy-file/policy-file.ts";
import type { Context } from "../command.ts";

/** Reads and checks the policy in a file, or what is piped in. */
export async function readPolicy(file: string, input: Context["input"]): Promise<Policy> {
  let text = "";
  for await (const piece of input(file)) text += piece;
  return parsePolicy(text, file === "-" ? "stdin" : file);
}
