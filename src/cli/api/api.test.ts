import { describe, expect, it } from "vitest";
import { requestOf } from "./api.ts";

describe("what `dlo api` asks for", () => {
  it("is a path as a whole, whatever spaces the search in it has", () => {
    const path = "/letters?q=queue:orders state:open";
    expect(requestOf(path, "")).toEqual({ method: "GET", path });
    expect(requestOf(`get ${path}`, "")).toEqual({ method: "GET", path });
    expect(requestOf("letters?q=get this", "{}")).toEqual({ method: "POST", path: "letters?q=get this" });
    expect(requestOf("POST /letters/drop", "{}")).toEqual({ method: "POST", path: "/letters/drop" });
  });

  it("is refused with another method, or with a body that nobody would read", () => {
    expect(() => requestOf("PUT /letters", "")).toThrow("The method is GET or POST, and not `PUT`.");
    expect(() => requestOf("GET /letters", "{}")).toThrow("GET takes its values in the path.");
  });
});
