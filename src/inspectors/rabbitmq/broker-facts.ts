import { fieldOf, type ManagementApi } from "./management-api.ts";

/** What one virtual host holds, as the management API tells it. */
export interface BrokerFacts {
  readonly version: string;
  readonly vhost: string;
  /** Tags of the user that asked. */
  readonly tags: readonly string[];
  readonly user: string;
  readonly queues: readonly QueueFacts[];
  /** By name; the default exchange is "". */
  readonly exchanges: ReadonlyMap<string, ExchangeFacts>;
  readonly bindings: readonly BindingFacts[];
  /** By name; null: they may not be seen. */
  readonly policies: ReadonlyMap<string, PolicyFacts> | null;
}

export type Settings = Readonly<Record<string, unknown>>;

export interface PolicyFacts {
  readonly definition: Settings;
  readonly priority: number;
}

export interface QueueFacts {
  readonly name: string;
  readonly type: string;
  readonly isTemporary: boolean;
  readonly messages: number | null;
  readonly arguments: Settings;
  readonly policy: string | null;
  /** Policy and operator's policy put together, where the server says so. */
  readonly effective: Settings | null;
}

export interface ExchangeFacts {
  readonly type: string;
  readonly alternate: string | null;
}

export interface BindingFacts {
  readonly source: string;
  readonly destination: string;
  readonly toQueue: boolean;
  readonly key: string;
}

/** Reads all of it. Null if there is no such virtual host for this user. */
export async function readFacts(api: ManagementApi, vhost: string): Promise<BrokerFacts | null> {
  const host = encodeURIComponent(vhost);
  const self = await api.get("/whoami");
  const overview = await api.get("/overview?disable_stats=true");
  // In one piece: the server adds the totals up for all queues before it cuts a page out of them.
  const queues = await api.get(`/queues/${host}?disable_stats=true&enable_queue_totals=true`);
  if (!Array.isArray(queues)) return null;
  const policies = policiesIn(await api.get(`/policies/${host}`));
  const operatorPolicies = policiesIn(await api.get(`/operator-policies/${host}`));
  // Only the listing with statistics, which takes longer, tells what comes out of both kinds of policies.
  const isPlain = policies !== null && operatorPolicies !== null && operatorPolicies.size === 0;
  const effective = isPlain ? new Map<string, Settings>() : await readEffective(api, host);
  return {
    version: textOf(fieldOf(overview, "rabbitmq_version")) ?? "",
    vhost,
    user: textOf(fieldOf(self, "name")) ?? "",
    tags: tagsIn(fieldOf(self, "tags")),
    queues: queues.map((queue) => queueFacts(queue, effective)),
    exchanges: exchangesIn(listed(await api.get(`/exchanges/${host}`)), policies),
    bindings: listed(await api.get(`/bindings/${host}`)).map(bindingFacts),
    policies,
  };
}

function listed(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

async function readEffective(api: ManagementApi, host: string): Promise<ReadonlyMap<string, Settings>> {
  const queues = (await api.list(`/queues/${host}`, "&columns=name,effective_policy_definition")) ?? [];
  return new Map(
    queues.flatMap((queue): [string, Settings][] => {
      const definition = fieldOf(queue, "effective_policy_definition");
      return definition === undefined ? [] : [[textOf(fieldOf(queue, "name")) ?? "", settingsOf(definition)]];
    }),
  );
}

function queueFacts(queue: unknown, effective: ReadonlyMap<string, Settings>): QueueFacts {
  const name = textOf(fieldOf(queue, "name")) ?? "";
  const messages = fieldOf(queue, "messages");
  const isFleeting = fieldOf(queue, "auto_delete") === true || fieldOf(queue, "exclusive") === true;
  const owner = fieldOf(queue, "owner_pid_details");
  return {
    name,
    type: textOf(fieldOf(queue, "type")) ?? "classic",
    isTemporary: isFleeting || owner !== undefined || fieldOf(queue, "durable") === false,
    messages: typeof messages === "number" ? messages : null,
    arguments: settingsOf(fieldOf(queue, "arguments")),
    policy: textOf(fieldOf(queue, "policy")) || null,
    effective: effective.get(name) ?? null,
  };
}

function exchangesIn(
  exchanges: readonly unknown[],
  policies: BrokerFacts["policies"],
): ReadonlyMap<string, ExchangeFacts> {
  return new Map(
    exchanges.map((exchange) => {
      const policy = policies?.get(textOf(fieldOf(exchange, "policy")) ?? "");
      const alternate =
        settingsOf(fieldOf(exchange, "arguments"))["alternate-exchange"] ?? policy?.definition["alternate-exchange"];
      return [
        textOf(fieldOf(exchange, "name")) ?? "",
        { type: textOf(fieldOf(exchange, "type")) ?? "direct", alternate: textOf(alternate) ?? null },
      ];
    }),
  );
}

function bindingFacts(binding: unknown): BindingFacts {
  return {
    source: textOf(fieldOf(binding, "source")) ?? "",
    destination: textOf(fieldOf(binding, "destination")) ?? "",
    toQueue: fieldOf(binding, "destination_type") === "queue",
    key: textOf(fieldOf(binding, "routing_key")) ?? "",
  };
}

function policiesIn(answer: unknown): ReadonlyMap<string, PolicyFacts> | null {
  if (!Array.isArray(answer)) return null;
  return new Map(
    answer.map((policy) => [
      textOf(fieldOf(policy, "name")) ?? "",
      { definition: settingsOf(fieldOf(policy, "definition")), priority: Number(fieldOf(policy, "priority") ?? 0) },
    ]),
  );
}

/** A list since 3.9, text with commas before. */
function tagsIn(tags: unknown): readonly string[] {
  if (Array.isArray(tags)) return tags.map(String);
  return (textOf(tags) ?? "").split(",").filter(Boolean);
}

function settingsOf(value: unknown): Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
