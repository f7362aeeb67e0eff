import { enterDemo } from "../../http/sign-in-client.ts";
import { askHolder } from "../../system/folder-lock.ts";
import type { Context } from "../command.ts";
import { type Credential, officeAddress, readCredential } from "./credentials.ts";
import { demoFolder } from "./user-files.ts";

/**
 * What lets somebody in at an office: what was stored for it. The user's own demonstration lets in whoever comes from this machine, so
 * that the commands its pages show can be typed beside it. Null: they have to sign in, and nothing was sent to anybody.
 */
export async function credentialAt(env: Context["env"], url: string): Promise<Credential | null> {
  const stored = await readCredential(env, url);
  if (stored !== null || !(await isOwnDemo(env, url))) return stored;
  const entered = await enterDemo(officeAddress(url));
  return entered === null ? null : { secret: entered.session, person: entered.person, expiresAt: null };
}

async function isOwnDemo(env: Context["env"], url: string): Promise<boolean> {
  const announced = await askHolder(demoFolder(env));
  return announced !== null && announced !== "" && officeAddress(announced) === officeAddress(url);
}
