import { posix } from "node:path";
import type { Node, Program } from "oxc-parser";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { usesOf } from "./global-uses.ts";
import { importsOf, isTest, placeOf, type Source, sourcesUnder } from "./sources.ts";

/** The architecture, inner to outer. A folder may import itself and what is listed for it; nothing else. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  policies: ["domain"],
  dialects: ["domain"],
  triage: ["domain"],
  simulate: ["domain", "policies"],
  system: ["domain"],
  config: ["domain"],
  "policy-file": ["domain", "config", "triage"],
  "body-schemas": ["domain", "config", "triage"],
  outbound: ["domain", "system"],
  wiring: ["domain"],
  inspectors: ["domain", "wiring", "system", "databases", "schema", "transports", "jobs"],
  doctor: ["domain", "config", "wiring", "inspectors"],
  databases: ["domain", "system"],
  schema: ["domain"],
  transports: ["domain", "system", "schema"],
  stores: ["domain", "system", "schema"],
  outbox: ["domain", "system", "schema", "transports"],
  ledger: ["domain", "schema"],
  jobs: ["domain", "dialects"],
  runtime: ["domain", "policies", "triage", "transports", "stores", "system"],
  telemetry: ["domain", "runtime"],
  reports: ["domain", "system", "transports", "runtime"],
  sources: [
    "domain",
    "system",
    "config",
    "wiring",
    "inspectors",
    "doctor",
    "databases",
    "schema",
    "transports",
    // Consumers may keep the state of their breakers where their queues are.
    "stores",
    "jobs",
  ],
  office: [
    "domain",
    "policies",
    "dialects",
    "triage",
    "policy-file",
    "transports",
    "sources",
    "stores",
    "jobs",
    "ledger",
  ],
  http: ["domain", "office", "simulate"],
  testing: ["domain", "policies", "transports", "stores", "ledger", "runtime", "system"],
  // A demonstration is an office and those around it, composed anew: it wires what else only the composition root does.
  demo: [
    "domain",
    "policies",
    "transports",
    "stores",
    "runtime",
    "simulate",
    "testing",
    "reports",
    "sources",
    "system",
    "ledger",
    "office",
    "compose.ts",
  ],
  // doctor and sources work where no office runs yet, so they look at brokers themselves.
  cli: [
    "domain",
    "dialects",
    "triage",
    "policy-file",
    "http",
    "simulate",
    "demo",
    "system",
    "config",
    "wiring",
    "doctor",
    "compose.ts",
  ],
};

/** Folders whose subfolders must not know each other: one transport another, one job framework another. */
const strangers = ["transports", "jobs", "inspectors"];

/** The only places that may import a package of others. */
const clients: Readonly<Record<string, readonly string[]>> = {
  "@aws-sdk/client-s3": ["stores/s3-body-store.ts"],
  "@aws-sdk/client-sqs": ["transports/sqs"],
  pg: ["databases"],
  "@electric-sql/pglite": ["databases"],
  "@opentelemetry/api": ["telemetry", "opentelemetry.ts"],
  "@platformatic/kafka": ["transports/kafka"],
  amqplib: ["transports/rabbitmq"],
  ioredis: ["transports/redis"],
  "@nats-io/jetstream": ["transports/nats"],
  "@nats-io/transport-node": ["transports/nats"],
  jose: ["outbound"],
  "openid-client": ["outbound"],
  "@marcbachmann/cel-js": ["triage/conditions"],
  re2js: ["triage/conditions"],
  ajv: ["body-schemas"],
  yaml: ["config"],
  fastify: ["http"],
  zod: ["config", "policy-file", "office", "http"],
};

const inputAndOutput =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|os|readline|tls|worker_threads)\b/;

/** What a folder that only computes must not import. */
const pure: Readonly<Record<string, RegExp>> = {
  domain: /^node:/,
  policies: inputAndOutput,
  dialects: inputAndOutput,
  triage: inputAndOutput,
  simulate: inputAndOutput,
  wiring: inputAndOutput,
};

/** What is touched in one place, so that all the rest runs in virtual time and without a terminal. */
const reserved = [
  { what: "the date", folders: ["system", "cli"], uses: /^(new Date\(\)|Date\(\)|Date\.now\b.*)$/ },
  {
    what: "timers",
    folders: ["system", "cli"],
    uses: /^(set(Timeout|Interval|Immediate)\b|AbortSignal\.timeout|node:timers\b)/,
  },
  {
    what: "stopwatches",
    folders: ["system", "cli"],
    uses: /^(performance\b|process\.(hrtime|uptime)\b|node:perf_hooks\b)/,
  },
  {
    what: "dice and ids",
    folders: ["system", "cli"],
    uses: /^(Math\.random\b|crypto\.(random|getRandom)|node:crypto (random|getRandom|webcrypto))/,
  },
  {
    what: "the process",
    folders: ["cli"],
    uses: /^(process\.(env|argv|std(in|out|err)|exit|abort|kill|on|once)\b|console\b|node:process\b)/,
  },
  // Inspectors ask brokers that tell of themselves over HTTP only, at the address the configuration names.
  { what: "fetch", folders: ["http", "inspectors"], uses: /^fetch$/ },
];

const sources = sourcesUnder("src").filter((source) => !isTest(source));

describe("the import table", () => {
  it("names every folder", () => {
    expect(foldersOf(sources).filter((folder) => mayImport[folder] === undefined)).toEqual([]);
  });

  it.each(Object.entries(mayImport))("lets %s import only what lies inside it", (folder, allowed) => {
    const strays = edgesFrom(folder).filter(({ to }) => ![folder, ...allowed].includes(partOf(to)));
    expect(strays).toEqual([]);
  });

  it.each(strangers)("keeps the parts of %s from each other", (folder) => {
    const subfolderOf = (path: string) => path.split("/").slice(2, -1)[0];
    const inward = edgesFrom(folder).filter(({ to }) => partOf(to) === folder && subfolderOf(to) !== undefined);
    expect(inward.filter(({ from, to }) => subfolderOf(from) !== subfolderOf(to))).toEqual([]);
  });

  it("keeps everything in folders but the doors and the composition root", () => {
    const doors = Object.keys(manifest.exports).map((door) => `src/${door === "." ? "index" : door.slice(2)}.ts`);
    const atTop = sources.map(({ path }) => path).filter((path) => path.split("/").length === 2);
    expect(atTop.filter((path) => ![...doors, "src/compose.ts"].includes(path))).toEqual([]);
  });

  it("leads nowhere in a circle", () => {
    expect(findCircle(new Map(sources.map((source) => [source.path, edgesOf(source).map(({ to }) => to)])))).toEqual(
      [],
    );
  });
});

describe("the web UI", () => {
  it("knows the office by its typed client, and what has no side effects", () => {
    const mayKnow = /^src\/(http\/(client|event-stream|first-questions|routes)\.ts|domain\/|simulate\/)/;
    const strays = sourcesUnder("web")
      .flatMap((source) => importsOf(source).map(({ from }) => posix.join(posix.dirname(source.path), from)))
      .filter((to) => to.startsWith("src/") && !mayKnow.test(to));
    // The table's types, which leave nothing in the page.
    expect(new Set(strays)).toEqual(new Set(["src/office/operations/operations.ts"]));
  });
});

/** Where a moment becomes text, and where the browser's clock is looked at. */
const timeOfPages = {
  "how a moment reads": {
    uses: /\bIntl\.DateTimeFormat|\.toLocale(?:Date|Time)String|[aA]t\b\??\.(?:slice|replace)\(|\.toISOString\(\)\.(?:slice|replace)|<time\b/,
    // The hour of a search is that of UTC, in which the office counts.
    places: ["web/ui/moment-words.ts", "web/ui/age.tsx", "web/app/display-zone.ts", "web/inbox/vitals.tsx"],
  },
  "what time it is": {
    uses: /\bDate\.now\(|\bnew Date\(\)/,
    // How long a line has been silent is measured here, whatever time it is at the office.
    places: ["web/app/office-clock.ts", "web/app/live.ts"],
  },
};

describe("the times of the web UI", () => {
  it.each(Object.entries(timeOfPages))(
    "are shown alike everywhere: one module decides %s",
    (_what, { uses, places }) => {
      const found = sourcesUnder("web").filter(({ text }) => uses.test(text));
      expect(found.map(({ path }) => path).toSorted()).toEqual(places.toSorted());
    },
  );
});

describe("packages of others", () => {
  const imports = sources.flatMap((source) =>
    importsOf(source)
      .filter(({ from }) => !/^(\.|node:)/.test(from))
      .map(({ from, line }) => ({ name: packageOf(from), place: `${source.path}:${line}` })),
  );
  const mayTalkTo = (name: string, place: string) =>
    clients[name]?.some((part) => place.startsWith(`src/${part}/`) || place.startsWith(`src/${part}:`)) ?? false;

  it("are imported only by what is there to talk to them", () => {
    expect(imports.filter(({ name, place }) => !mayTalkTo(name, place))).toEqual([]);
  });

  it("are optional peers, so that a service installs nothing it did not ask for", () => {
    const optional: Readonly<Record<string, { readonly optional: boolean }>> = manifest.peerDependenciesMeta;
    expect(imports.filter(({ name }) => optional[name]?.optional !== true)).toEqual([]);
  });
});

describe("purity", () => {
  it.each(Object.entries(pure))("keeps %s from input and output", (folder, banned) => {
    const imports = within(folder).flatMap((source) => importsOf(source).map(({ from }) => `${source.path} → ${from}`));
    expect(imports.filter((found) => banned.test(found.split(" → ")[1] ?? ""))).toEqual([]);
  });

  it.each(reserved)("allows $what in one place only", ({ folders, uses }) => {
    const elsewhere = sources.filter(({ path }) => !folders.includes(partOf(path)));
    const found = elsewhere.flatMap((source) => usesOf(source).map((use) => ({ ...use, path: source.path })));
    expect(found.filter(({ name }) => uses.test(name))).toEqual([]);
  });

  it("lets no module but the program itself do anything when it is imported", () => {
    const modules = sources.filter(({ path }) => path !== "src/cli/main.ts");
    const acts = modules.flatMap((source) =>
      source.program.body.filter(isAct).map(({ start }) => placeOf(source, start)),
    );
    expect(acts).toEqual([]);
  });
});

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** The folder below src that a file is in; for a door the file itself. */
function partOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function foldersOf(files: readonly Source[]): string[] {
  return [...new Set(files.filter(({ path }) => path.split("/").length > 2).map(({ path }) => partOf(path)))];
}

function within(folder: string): Source[] {
  return sources.filter(({ path }) => path.startsWith(`src/${folder}/`));
}

function edgesFrom(folder: string): Edge[] {
  return within(folder).flatMap(edgesOf);
}

function edgesOf(source: Source): Edge[] {
  return importsOf(source)
    .filter(({ from }) => from.startsWith("."))
    .map(({ from, line }) => ({ from: source.path, to: posix.join(posix.dirname(source.path), from), line }));
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Files that import each other round in a circle, the first named again at the end; none when there is no circle. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cleared = new Set<string>();
  const follow = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (cleared.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const circle = follow(next, [...trail, file]);
      if (circle.length > 0) return circle;
    }
    cleared.add(file);
    return [];
  };
  return [...graph.keys()].map((file) => follow(file, [])).find((circle) => circle.length > 0) ?? [];
}

/** Whether a statement at the top of a module does more than declare. A `let` there is state that tests would share. */
function isAct(statement: Program["body"][number]): boolean {
  if (statement.type === "ExportNamedDeclaration")
    return statement.declaration !== null && isAct(statement.declaration);
  if (statement.type === "VariableDeclaration")
    return statement.kind !== "const" || statement.declarations.some(awaits);
  return !/^(Import|ExportAll|Function|Class|TSTypeAlias|TSInterface|TSDeclareFunction)/.test(statement.type);
}

function awaits({ init }: { readonly init: Node | null }): boolean {
  return init?.type === "AwaitExpression";
}
