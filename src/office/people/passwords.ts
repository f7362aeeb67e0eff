import { scrypt, timingSafeEqual } from "node:crypto";
import { requireOption } from "../../domain/options.ts";

/** What scrypt is asked to cost. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MB and a few tenths of a second each. */
const shippedCost: PasswordCost = { N: 131_072, r: 8, p: 1 };
const keyBytes = 32;
const shortest = 12;
const longest = 1_000;
const atOnce = 2;

export interface PasswordKeeper {
  /** For the ledger: `scrypt:N:r:p:salt:hash`. Refuses a password that is too short. */
  hash(password: string): Promise<string>;
  /** Against nobody's password it takes as long and says no: the time must not tell who exists. */
  isRight(password: string, stored: string | null): Promise<boolean>;
}

/** At most two are computed at once, whoever asks: more would be a way to take the server's memory from outside. */
export function passwordKeeper(newSecret: () => string, cost: PasswordCost = shippedCost): PasswordKeeper {
  const turns = makeTurns(atOnce);
  return {
    hash(password) {
      const length = [...password].length;
      requireOption(length >= shortest && length <= longest, "password", `${shortest} to ${longest} characters long`);
      return turns(async () => {
        const salt = newSecret();
        const { N, r, p } = cost;
        return `scrypt:${N}:${r}:${p}:${salt}:${(await derive(password, salt, cost)).toString("base64url")}`;
      });
    },
    isRight(password, stored) {
      const known = partsOf(stored ?? "");
      return turns(async () => {
        const { salt, hash, ...costs } = known ?? { ...cost, salt: "nobody", hash: Buffer.alloc(keyBytes) };
        const derived = await derive(password.slice(0, longest), salt, costs);
        return timingSafeEqual(derived, hash) && known !== null;
      });
    },
  };
}

function partsOf(stored: string): (PasswordCost & { readonly salt: string; readonly hash: Buffer }) | null {
  const [, N, r, p, salt, hash] = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return null;
  return { N: Number(N), r: Number(r), p: Number(p), salt, hash: Buffer.from(hash, "base64url") };
}

function derive(password: string, salt: string, { N, r, p }: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const maxmem = 256 * N * r;
    scrypt(password.normalize("NFKC"), salt, keyBytes, { N, r, p, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function makeTurns(places: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (taken >= places) await new Promise<void>((turn) => waiting.push(turn));
    else taken += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
