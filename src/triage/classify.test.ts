import { describe, expect, it } from "vitest";
import { labelledFailures } from "../../test/triage/failures.ts";
import { type FailureEvidence, noEvidence } from "../domain/classification.ts";
import { accuracyOf } from "./accuracy.ts";
import { classify } from "./classify.ts";

const of = (evidence: Partial<FailureEvidence>) => classify({ ...noEvidence, ...evidence });

describe("a classification", () => {
  it("says what decided, in a sentence that names the evidence", () => {
    expect(of({ code: "40P01", message: "deadlock detected", ecosystem: "postgres" })).toMatchObject({
      category: "transient",
      rule: "code/postgres/40P01",
      why: "PostgreSQL code 40P01 (deadlock detected): a trouble that passes by itself.",
      sideEffect: "none",
      runnerUp: null,
    });
  });

  it("knows nothing where there is nothing to know", () => {
    expect(classify(noEvidence)).toMatchObject({ category: "unknown", rule: "nothing-known" });
  });

  it.each([
    ["transient", "transient"],
    ["schema", "schema_mismatch"],
    ["business", "business_rule"],
    ["integration", "unknown"],
    ["poison", "poison"],
    ["lost_context", "lost_context"],
    ["approval_required", "unknown"],
    ["policy_snapshot_mismatch", "unknown"],
  ])("takes the handler's own word %s for %s, whatever else is there", (ownWord, category) => {
    expect(of({ ownWord, code: "ECONNRESET" })).toMatchObject({ category, rule: `own-word/${ownWord}` });
  });

  it.each([
    ["Request failed with status code 503", "transient", "status/503"],
    ["unexpected status code: 502", "transient", "status/502"],
    ["unexpected status 429", "transient", "status/429"],
    ["HTTP status code 504", "transient", "status/504"],
    ["Request failed with status code 401", "unknown", "status/401"],
    ["Request failed with status code 500", "unknown", "status/500"],
    ["The server returned an invalid status code of 503", "transient", "status/503"],
    ["upstream returned an invalid status: 502", "transient", "status/502"],
    ["wrong status code 504 from inventory", "transient", "status/504"],
    ["call ended with the status code 503", "transient", "status/503"],
    ["GET https://shop.example/stock returned 503", "transient", "status/503"],
    ["inventory-service responded with 503", "transient", "status/503"],
    ["expected status 200 but got 503", "transient", "status/503"],
    ["unexpected server response: 503", "transient", "status/503"],
    ["HTTP 503", "transient", "status/503"],
    ["returned an invalid status code of 404", "lost_context", "status/404"],
    ["returned an invalid status code of 500", "unknown", "status/500"],
    ["received order with invalid status 503", "business_rule", "message/forbidden-step"],
    ["order has an invalid status code of 503", "business_rule", "message/forbidden-step"],
    ["refund rejected: invalid status 503", "business_rule", "message/forbidden-step"],
    ["invoice 12 is in status 503", "business_rule", "message/forbidden-step"],
    ["quantity differs: expected 200, received 503", "schema_mismatch", "message/refused-value"],
    ["query returned 503 rows", "unknown", "nothing-known"],
    ["order status code 404 unknown to warehouse", "unknown", "nothing-known"],
    ["request 4711 has status code 402 in the ledger", "unknown", "nothing-known"],
  ])("reads a status from a sentence of a client: %s", (message, category, rule) => {
    expect(of({ message })).toMatchObject({ category, rule });
  });

  it("does not take what Java says of a null for a value that cannot be read", () => {
    const errorClass = "java.lang.NullPointerException";
    const messages = [
      'Cannot read field "total" because "order" is null',
      'Cannot read the array length because "a" is null',
    ];
    for (const message of messages) expect(of({ errorClass, message }).category).toBe("poison");
  });

  it.each(["java.lang.IllegalStateException", "System.InvalidOperationException"])(
    "does not guess what a bare %s means",
    (errorClass) => expect(of({ errorClass }).category).toBe("unknown"),
  );

  it("does not take it for a word that the handler does not know either", () => {
    expect(of({ ownWord: "unknown", code: "ECONNREFUSED" }).category).toBe("transient");
  });

  it.each(["unknown_commit_state", "partial_external_write"])(
    "leaves the effect open when an agent says %s",
    (code) => {
      expect(of({ code })).toMatchObject({ category: "unknown", sideEffect: "uncertain" });
    },
  );

  it("calls nothing transient that contradicts itself, and says by what", () => {
    const { category, rule, why, runnerUp } = of({
      message: "is not valid json: deadlock detected",
      errorClass: "Error",
    });
    expect({ category, rule, runnerUp: runnerUp?.category }).toEqual({
      category: "unknown",
      rule: "contradiction",
      runnerUp: "transient",
    });
    expect(why).toMatch(/But: /);
  });

  it("gives the runner-up with its reason", () => {
    const { category, runnerUp } = of({ message: "Validation failed: email has already been taken" });
    expect(category).toBe("business_rule");
    expect(runnerUp).toMatchObject({ category: "schema_mismatch", why: /validation failed/ });
  });
});

describe("hard cases", () => {
  it("blames the payload for a field that it visibly lacks, and the code otherwise", () => {
    const error = { errorClass: "TypeError", message: "Cannot read properties of undefined (reading 'street')" };
    expect(of({ ...error, payloadExcerpt: '{"name":"x"}' }).category).toBe("schema_mismatch");
    expect(of({ ...error, payloadExcerpt: '{"street":"x"}' }).category).toBe("poison");
    expect(of({ ...error, payloadExcerpt: '{"name":"x"' }).category).toBe("poison");
    expect(of(error).category).toBe("poison");
  });

  it("does not take an answer that cannot be decoded for the message", () => {
    const error = {
      errorClass: "SyntaxError",
      message: "Unexpected token < in JSON at position 0",
      stack: ["at JSON.parse (<anonymous>)", "at Response.json (node_modules/node-fetch/lib/index.js:272:19)"],
    };
    expect(of({ ...error, sameErrorEachAttempt: false }).category).toBe("transient");
    expect(of({ ...error, sameErrorEachAttempt: true }).category).toBe("unknown");
  });

  it("tells nothing from a bare 500", () => {
    const bare = { httpStatus: 500, errorClass: "AxiosError", message: "Request failed with status code 500" };
    expect(of({ ...bare, code: "ERR_BAD_RESPONSE" }).category).toBe("unknown");
    expect(of({ ...bare, message: "500: Data too long for column 'note'" }).category).toBe("schema_mismatch");
  });

  it("looks at the cause behind a wrapper", () => {
    const wrapper = {
      errorClass: "org.apache.kafka.connect.errors.ConnectException",
      message: "Tolerance exceeded in error handler",
    };
    expect(of(wrapper).category).toBe("unknown");
    const stack = [
      "Caused by: org.apache.kafka.connect.errors.DataException: Converting byte[] failed due to serialization error",
    ];
    expect(of({ ...wrapper, stack }).category).toBe("schema_mismatch");
  });

  it("does not wait for a name that never resolves", () => {
    const error = { code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND hooks.customer.example", attempts: 12 };
    expect(of({ ...error, sameErrorEachAttempt: false }).category).toBe("transient");
    expect(of({ ...error, sameErrorEachAttempt: true }).category).toBe("unknown");
    const payloadExcerpt = '{"url":"https://hooks.customer.example/in"}';
    expect(of({ ...error, sameErrorEachAttempt: true, payloadExcerpt }).category).toBe("lost_context");
  });

  it("does not read a number as a code of a system nobody speaks of", () => {
    expect(of({ code: "1205", message: "it broke" }).category).toBe("unknown");
    expect(of({ code: "1205", message: "it broke", ecosystem: "sqlserver" }).category).toBe("transient");
  });
});

describe("the side effect", () => {
  const reset = { code: "ECONNRESET", message: "socket hang up" };

  it("is open only if what broke off was a write", () => {
    expect(of({ ...reset, payloadExcerpt: '{"method":"POST"}' }).sideEffect).toBe("uncertain");
    expect(of({ ...reset, payloadExcerpt: '{"method":"GET"}' }).sideEffect).toBe("none");
  });

  it("is none when the request never left", () => {
    const refused = { code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:443" };
    expect(of({ ...refused, payloadExcerpt: '{"method":"POST"}' }).sideEffect).toBe("none");
  });

  it("is judged apart from the category", () => {
    expect(of({ message: "job stalled more than allowable limit" })).toMatchObject({
      category: "unknown",
      sideEffect: "uncertain",
    });
  });
});

describe("measured with labelled failures", () => {
  it.each([
    { name: "public", least: 0.95 },
    { name: "made", least: 0.97 },
    { name: "held-out", least: 0.93 },
  ] as const)(
    "gets $least of the $name ones right, and calls at most one in a hundred transient that is not",
    ({ name, least }) => {
      const judged = labelledFailures(name).map((failure) => ({ failure, classification: classify(failure.evidence) }));
      const { labelled, right, dangerous, sideEffects } = accuracyOf(judged);
      expect(right / labelled).toBeGreaterThanOrEqual(least);
      expect(dangerous / labelled).toBeLessThanOrEqual(0.01);
      expect(sideEffects.right / sideEffects.labelled).toBeGreaterThanOrEqual(0.97);
    },
  );
});
