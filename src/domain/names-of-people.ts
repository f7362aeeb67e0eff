/** They stand for the server itself, for what decides without a person, or for no one: in a log they would read as that. */
const reserved = new Set(
  [
    ...["admin", "administrator", "system", "policy", "office", "server", "dlo", "dead-letter-office"],
    ...["auto-replay", "demo", "nobody", "anonymous", "unknown", "everybody", "everyone", "null", "undefined"],
  ].map(lookOf),
);

/**
 * What a name looks like to somebody who reads it in a list: two names of one look are told apart by no one. Names that an issuer
 * says may be in any script, so what only looks like a Latin letter counts as that letter where Unicode says so.
 */
export function lookOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("0", "o")
    .replaceAll(/[1i]/g, "l");
}

/** Whether nobody may be called that, whoever asks. */
export function isReservedName(name: string): boolean {
  return reserved.has(lookOf(name));
}
