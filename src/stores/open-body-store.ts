import { resolve } from "node:path";
import type { BodyStore } from "../domain/body-store.ts";
import type { Host } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { fileBodyStore } from "./file-body-store.ts";
import { s3BodyStore } from "./s3-body-store.ts";

/** Where the configuration wants large bodies. */
export interface BodyPlace {
  readonly store: "fs" | "s3";
  /** A folder, or a bucket and prefix; null for the folder beside the ledger. */
  readonly path: string | null;
  readonly endpoint: string | null;
  readonly region: string | null;
}

export interface BodyPlaceParts {
  /** Where they are when nobody says. */
  readonly folder: string;
  /** What a relative path begins from. */
  readonly from: string;
  readonly host: Host;
}

/** Whoever reads one waits for the page of a letter: with the rest of it that must come within five seconds. */
const readWithinMs = 3_000;

/** Bodies too large for a row lie beside the ledger: a folder of one machine, unless the configuration names a shared one. */
export async function openBodyStore(place: BodyPlace, { folder, from, host }: BodyPlaceParts): Promise<BodyStore> {
  const { store, path, endpoint, region } = place;
  const { clock, newId } = host;
  if (store === "fs") return fileBodyStore({ folder: path === null ? folder : resolve(from, path), newId, clock });
  const [, bucket, prefix = ""] = /^([^/]+)\/?(.*?)\/*$/.exec(path ?? "") ?? [];
  if (bucket !== undefined) return s3BodyStore({ bucket, prefix, endpoint, region, clock, readWithinMs });
  throw new OfficeError(
    "INVALID_CONFIG",
    "`ledger.bodies.path` must name a bucket where the store is s3, such as `letters` or `letters/bodies`.",
  );
}
