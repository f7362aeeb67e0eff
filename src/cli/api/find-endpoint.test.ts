import { describe, expect, it } from "vitest";
import { findEndpoint } from "./find-endpoint.ts";

const get = (path: string) => findEndpoint({ method: "GET", path, body: undefined });

describe("the operation that a path asks for", () => {
  it("is found with or without the prefix, its values typed as the table has them", () => {
    const asked = { name: "letters.list", input: { q: "queue:orders", limit: 2 } };
    expect(get("/letters?q=queue:orders&limit=2")).toEqual(asked);
    expect(get("api/v1/letters?q=queue:orders&limit=2")).toEqual(asked);
    expect(get("/replays?states=running&states=halted").input).toEqual({ states: ["running", "halted"] });
  });

  it("is the one of that very name before one with anything in its place", () => {
    expect(get("/letters/count").name).toBe("letters.count");
    expect(get("/letters/ltr_1")).toEqual({ name: "letters.get", input: { id: "ltr_1" } });
    expect(get("/groups/a%2Fb").input).toEqual({ id: "a/b" });
  });

  it("takes a body where it changes something", () => {
    const asked = { method: "POST", path: "/replays/rpl_1/ask", body: { reason: "now" } };
    expect(findEndpoint(asked)).toEqual({ name: "replays.ask", input: { id: "rpl_1", reason: "now" } });
  });

  it("is refused where there is none, and so is a value that it does not know", () => {
    expect(() => get("/leters")).toThrow("The API has no GET /leters.");
    expect(() => get("/letters/")).toThrow("The API has no GET /letters/.");
    expect(() => get("/letters?limt=2")).toThrow("limt");
    expect(() => findEndpoint({ method: "POST", path: "/inbox", body: {} })).toThrow("The API has no POST /inbox.");
  });

  it("is refused where its path has a percent sign that stands for nothing", () => {
    expect(() => get("/letters/%")).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });
});
