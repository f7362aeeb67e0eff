import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseFlags } from "../src/cli/parse-flags.ts";
import { upCommand } from "../src/cli/server/up.ts";
import { parseConfig } from "../src/config/config-file.ts";
import { isLoopback, parseListen, publicAddress } from "../src/http/public-address.ts";
import { root } from "./sources.ts";

const read = (file: string) => readFileSync(`${root}/deploy/${file}`, "utf8");
const kubernetes = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS() as Manifest);
const compose = parseAllDocuments(read("compose.yaml"))[0]?.toJS() as Compose;
const image = read("Dockerfile");

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
}

interface Compose {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
}

const containers = kubernetes.flatMap(({ metadata: { name }, spec }) =>
  (spec?.template?.spec.containers ?? []).map((container) => ({ name, ...container })),
);
/** Every line by which a file starts an office. */
const starts: readonly (readonly [string, readonly string[]])[] = [
  ["Dockerfile", JSON.parse(/^CMD (.*)$/m.exec(image)?.[1] ?? "[]") as string[]],
  ["compose.yaml", compose.services.office?.command ?? []],
  ...containers.map(({ name, args }) => [name, args] as const),
];
const configs: readonly (readonly [string, string])[] = [
  ["dlo.config.yaml", read("dlo.config.yaml")],
  ["kubernetes.yaml", kubernetes.find(({ kind }) => kind === "ConfigMap")?.data?.["dlo.config.yaml"] ?? ""],
];
const flagsOf = ([name, ...args]: readonly string[]) => {
  expect(name).toBe("up");
  return parseFlags(args, upCommand.flags);
};

describe("the files an office is deployed by", () => {
  it.each(starts)("start it as it can be started: %s", (_file, line) => {
    expect(() => flagsOf(line)).not.toThrow();
  });

  it.each(configs)("configure it as it can be configured, for people elsewhere: %s", (_file, text) => {
    const { office, sources } = parseConfig(text);
    expect(publicAddress(office.publicUrl, parseListen("0.0.0.0:7717")).origin).toBe(office.publicUrl);
    // Who has just deployed it has not decided yet that it may take anything.
    expect(sources.flatMap(({ queues }) => queues.map(({ mode }) => mode))).toEqual(["observe"]);
  });

  it.each(containers)("ask $name for its health where it answers", ({ args, ports, livenessProbe, readinessProbe }) => {
    const { listen, only, "metrics-listen": metrics } = flagsOf(args);
    const hasPages = only?.includes("http") ?? true;
    const address = parseListen(hasPages ? listen : metrics);
    expect(isLoopback(address)).toBe(false);
    expect(ports.map(({ containerPort }) => containerPort)).toEqual([address.port]);
    expect(livenessProbe.httpGet).toEqual({ path: "/healthz", port: ports[0]?.name });
    expect(readinessProbe?.httpGet.path).toBe(hasPages ? "/readyz" : undefined);
  });

  it("leave no duty to nobody", () => {
    expect(containers.flatMap(({ args }) => flagsOf(args).only ?? []).toSorted()).toEqual(["http", "intake", "replay"]);
  });

  it("run as somebody who may do little", () => {
    expect(image).toMatch(/^USER node$/m);
  });
});
