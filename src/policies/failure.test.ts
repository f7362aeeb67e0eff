import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OfficeError } from "../domain/errors.ts";
import { type FailureKind, Park, RetryLater, Unprocessable } from "../domain/handler-errors.ts";
import { BreakerOpen } from "./breaker-open.ts";
import { type Classify, readFailure } from "./failure.ts";

const now = Date.UTC(2026, 0, 1);
const read = (error: unknown, classify?: Classify) => readFailure(error, { now, classify });
const kindOf = (error: unknown) => read(error).kind;

/** An error as a library makes it: a class name and some fields. */
function failure(fields: Record<string, unknown>, name = "Error"): Error {
  const error = Object.assign(new Error("it failed"), fields);
  Object.defineProperty(error, "name", { value: name });
  return error;
}

describe("what is known of an error", () => {
  it.each<[string, unknown, FailureKind]>([
    ["a refused connection", failure({ code: "ECONNREFUSED" }), "transient"],
    ["a name that does not resolve", failure({ code: "ENOTFOUND" }), "transient"],
    ["undici's connect timeout", failure({ code: "UND_ERR_CONNECT_TIMEOUT" }, "ConnectTimeoutError"), "transient"],
    ["a timeout of AbortSignal", new DOMException("too slow", "TimeoutError"), "transient"],
    ["an open breaker", new BreakerOpen("payments", 1_500), "transient"],
    ["a store that is away", new OfficeError("STORE_UNAVAILABLE", "away"), "transient"],
    ["a serialization failure", failure({ code: "40001", severity: "ERROR" }), "transient"],
    ["a shutdown of PostgreSQL", failure({ code: "57P01", severity: "FATAL" }), "transient"],
    ["a deadlock of MySQL", failure({ code: "ER_LOCK_DEADLOCK", sqlState: "40001" }), "transient"],
    ["an unavailable gRPC service", failure({ code: 14, details: "", metadata: {} }), "transient"],
    ["a write conflict of MongoDB", failure({ code: 112 }, "MongoServerError"), "transient"],
    ["a Redis that is loading", failure({ message: "LOADING Redis is loading" }, "ReplyError"), "transient"],
    [
      "a throttled AWS call, though its status is 400",
      failure({ $metadata: { httpStatusCode: 400 } }, "ThrottlingException"),
      "transient",
    ],
    ["pg without a code", failure({ message: "Connection terminated unexpectedly" }), "transient"],
    ["text that is no UUID in PostgreSQL", failure({ code: "22P02", severity: "ERROR" }), "schema"],
    ["a missing column value", failure({ code: "23502", severity: "ERROR" }), "schema"],
    ["a ZodError", failure({ issues: [] }, "ZodError"), "schema"],
    ["an invalid gRPC argument", failure({ code: 3, details: "", metadata: {} }), "schema"],
    ["a duplicate key", failure({ code: "23505", severity: "ERROR" }), "business"],
    ["raise exception in a procedure", failure({ code: "P0001", severity: "ERROR" }), "business"],
    ["a wrong password of PostgreSQL", failure({ code: "28P01", severity: "FATAL" }), "integration"],
    ["an expired certificate", failure({ code: "CERT_HAS_EXPIRED" }), "integration"],
    ["a missing right at AWS", failure({ $metadata: { httpStatusCode: 400 } }, "AccessDeniedException"), "integration"],
    ["a bug", new TypeError("Cannot read properties of undefined"), "unknown"],
    ["a parent row that is not there yet", failure({ code: "23503", severity: "ERROR" }), "unknown"],
    ["a missing table", failure({ code: "42P01", severity: "ERROR" }), "unknown"],
    ["five digits that no database said", failure({ code: "40403" }), "unknown"],
    ["a small number that no gRPC client said", failure({ code: 14 }), "unknown"],
    ["a string", "boom", "unknown"],
    ["nothing", undefined, "unknown"],
  ])("%s", (_title, error, kind) => expect(kindOf(error)).toBe(kind));

  it("tells malformed JSON from a gateway's error page", () => {
    expect(kindOf(thrownBy(() => JSON.parse("{")))).toBe("schema");
    expect(kindOf(thrownBy(() => JSON.parse("<html>")))).toBe("unknown");
  });

  it.each<[FailureKind, readonly number[]]>([
    ["transient", [408, 423, 425, 429, 500, 502, 503, 504, 507, 520, 529, 599]],
    ["schema", [400, 413, 415, 422]],
    ["business", [402, 451]],
    ["integration", [401, 403, 405, 407, 501, 505]],
    ["unknown", [404, 409, 410, 412, 418, 508]],
  ])("takes HTTP statuses for %s: %j", (kind, statuses) => {
    for (const status of statuses) {
      for (const error of [failure({ status }), failure({ statusCode: status }), failure({ response: { status } })]) {
        expect([status, kindOf(error)]).toEqual([status, kind]);
      }
    }
  });

  it("says by what it knows", () => {
    expect(read(failure({ status: 503 })).why).toBe("status 503");
    expect(read(failure({ code: "40001", severity: "ERROR" })).why).toBe("SQLSTATE 40001");
  });
});

describe("causes", () => {
  const refused = failure({ code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:443" });
  const malformed = failure({}, "ZodError");

  it("are followed, however deep the known one lies", () => {
    const facts = read(new Error("charging failed", { cause: new Error("call failed", { cause: refused }) }));
    expect(facts).toMatchObject({ kind: "transient", code: "ECONNREFUSED", errorClass: "Error" });
    expect(facts.message).toBe("charging failed: call failed: connect ECONNREFUSED 10.0.0.1:443");
  });

  it("that contradict each other leave the kind unknown, because wrongly transient is the dear mistake", () => {
    const facts = read(failure({ status: 503, cause: malformed }));
    expect(facts.kind).toBe("unknown");
    expect(facts.why).toBe("contradiction: status 503 is transient, class ZodError is schema");
  });

  it("of permanent kinds only: the innermost wins", () => {
    expect(kindOf(failure({ status: 402, cause: malformed }))).toBe("schema");
  });

  it("win over what is read off a message's wording", () => {
    const expired = failure({ code: "CERT_HAS_EXPIRED" });
    expect(kindOf(failure({ message: "Connection terminated", cause: expired }))).toBe("integration");
  });

  it("may come in bundles, which are as well known as the least known among them", () => {
    expect(kindOf(new AggregateError([refused, failure({ code: "ETIMEDOUT" })]))).toBe("transient");
    expect(kindOf(new AggregateError([refused, new TypeError("a bug")]))).toBe("unknown");
    expect(kindOf(new AggregateError([refused, malformed]))).toBe("unknown");
  });

  it("may lead back to where they began", () => {
    const first = new Error("first");
    const second = new Error("second", { cause: first });
    first.cause = second;
    expect(read(first)).toMatchObject({ kind: "unknown", message: "first: second" });
  });
});

describe("the handler's own word", () => {
  it("counts before everything, also inside a cause", () => {
    const word = new Unprocessable("no such order", { cause: failure({ code: "ECONNRESET" }) });
    const facts = read(new Error("wrapped", { cause: word }), () => "transient");
    expect(facts).toMatchObject({
      kind: "business",
      instruction: "dead-letter",
      why: "the handler threw Unprocessable",
    });
    expect(read(new Unprocessable("x", { kind: "schema" })).kind).toBe("schema");
  });

  it("names the wait, without a cap: the handler knows what it asks for", () => {
    const facts = read(new RetryLater("tomorrow", { afterMs: 86_400_000 }));
    expect(facts).toMatchObject({ kind: "transient", instruction: "retry", retryAfterMs: 86_400_000 });
  });

  it("may be to park", () => expect(read(new Park("later"))).toMatchObject({ kind: "unknown", instruction: "park" }));

  it("is the outermost one where there are two", () => {
    const cause = new Unprocessable("no");
    expect(read(new RetryLater("yes", { afterMs: 1, cause })).instruction).toBe("retry");
  });
});

describe("the user's rule", () => {
  it("counts before the tables, and sees what they say", () => {
    const error = failure({ status: 404 });
    const rule: Classify = (_error, facts) =>
      facts.status === 404 && facts.kind === "unknown" ? "business" : undefined;
    expect(read(error, rule)).toMatchObject({ kind: "business", why: "your classify rule" });
    expect(read(failure({ status: 503 }), rule).kind).toBe("transient");
  });

  it("has no say when it throws or answers nonsense, and the reason shows it", () => {
    const broken: Classify = () => {
      throw new Error("rule is broken");
    };
    expect(read(failure({ status: 503 }), broken)).toMatchObject({
      kind: "transient",
      why: "status 503 (classify failed: rule is broken)",
    });
    expect(read(failure({ status: 503 }), () => "maybe" as never).kind).toBe("transient");
  });
});

describe("whatever is thrown", () => {
  it("is described: plain values by what they are, objects by their first fields", () => {
    expect(read("boom")).toMatchObject({ errorClass: "string", message: "boom", stack: null });
    expect(read(null)).toMatchObject({ errorClass: "null", message: "null" });
    expect(read(42n)).toMatchObject({ errorClass: "bigint", message: "42" });
    expect(read(Symbol("odd"))).toMatchObject({ errorClass: "symbol", message: "Symbol(odd)" });
    expect(read({ reason: "no", at: [1] })).toMatchObject({
      errorClass: "Object",
      message: "{ reason: no, at: object }",
    });
    class OrderRejected extends Error {}
    expect(read(new OrderRejected("no")).errorClass).toBe("OrderRejected");
  });

  it("is cut to size, and no character is cut in half", () => {
    const facts = read(
      failure({ message: "😀".repeat(1_000_000), stack: "x".repeat(1_000_000), code: "c".repeat(5_000) }),
    );
    expect(facts.message.length).toBeLessThanOrEqual(2_048);
    expect(encodeURIComponent(facts.message)).toMatch(/%F0%9F%98%80%E2%80%A6$/);
    expect(facts.stack?.length).toBe(8_192);
    expect(facts.code?.length).toBe(128);
  });

  it.each<[string, unknown]>([
    ["a proxy that throws on every touch", new Proxy(new Error("x"), throwing())],
    ["a revoked proxy", revoked()],
    ["a proxy that is its own every property", new Proxy({}, { get: (_target, _name, self: unknown) => self })],
    ["getters that throw", Object.defineProperty(new Error("x"), "message", { get: () => fail() })],
    ["a cause that is a revoked proxy", new Error("x", { cause: revoked() })],
    ["errors that are a revoked proxy", Object.assign(new Error("x"), { errors: revoked() })],
    ["headers that throw", Object.assign(new Error("x"), { headers: { get: fail } })],
    ["an object without a prototype", Object.create(null)],
  ])("never makes reading it throw: %s", (_title, thrown) => {
    expect(read(thrown)).toMatchObject({ kind: "unknown", retryAfterMs: null });
  });

  it("gives facts that survive JSON, whatever it is made of", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (thrown) => {
          const facts = read(thrown);
          expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
        },
      ),
    );
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function fail(): never {
  throw new Error("hostile");
}

function throwing(): ProxyHandler<Error> {
  return { get: fail, getPrototypeOf: fail, ownKeys: fail, has: fail, getOwnPropertyDescriptor: fail };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

it("understands a subclass of an instruction under a name of its own", () => {
  class UnknownProduct extends Unprocessable {
    override readonly name = "UnknownProduct";
  }
  const facts = readFailure(new UnknownProduct("no such product", { kind: "business" }), { now: 0 });
  expect(facts).toMatchObject({ instruction: "dead-letter", errorClass: "UnknownProduct", kind: "business" });
});
