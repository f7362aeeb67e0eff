import { describe, expect, it } from "vitest";
import { parseConfig } from "./config-file.ts";
import { noticeSettings } from "./notice-settings.ts";
import { referenceOrigin } from "./reference.ts";

function urlBy(office: string, listen?: string): string {
  const config = parseConfig(`version: 1\n${office === "" ? "" : `office: ${office}\n`}`);
  return noticeSettings(config, referenceOrigin({}), listen).office.url;
}

describe("links of notices", () => {
  it.each([
    ["{ publicUrl: https://dlo.example }", "https://dlo.example"],
    ["{ publicUrl: https://dlo.example/ }", "https://dlo.example"],
    ["{ publicUrl: https://ops.example, basePath: /dlo }", "https://ops.example/dlo"],
    ["{ publicUrl: https://ops.example, basePath: /dlo/eu/ }", "https://ops.example/dlo/eu"],
    ["{ listen: 127.0.0.1:8080, basePath: /dlo }", "http://127.0.0.1:8080/dlo"],
    ["", "http://127.0.0.1:7717"],
  ])("with %s begin with %s", (office, url) => {
    expect(urlBy(office)).toBe(url);
  });

  it("begin with where the process was told to listen", () => {
    expect(urlBy("", "127.0.0.1:8181")).toBe("http://127.0.0.1:8181");
    expect(urlBy("{ publicUrl: https://dlo.example }", "127.0.0.1:8181")).toBe("https://dlo.example");
  });
});
