import { gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, it } from "vitest";
import { addWebFiles } from "./web-files.ts";

it("sends files packed to whoever takes them so, and the same bytes plainly to others", async () => {
  const app = fastify();
  const content = Buffer.from("export const name = 'office';\n".repeat(50));
  addWebFiles(app, new Map([["/assets/index-1.js", content]]), "/dlo");
  const asked = async (accepted: string | undefined) =>
    app.inject({
      url: "/dlo/assets/index-1.js",
      headers: accepted === undefined ? {} : { "accept-encoding": accepted },
    });
  const packed = await asked("br, gzip;q=0.8");
  expect(packed.headers).toMatchObject({
    "content-encoding": "gzip",
    "content-type": "text/javascript; charset=utf-8",
    vary: "accept-encoding",
  });
  expect(packed.rawPayload.length).toBeLessThan(content.length / 5);
  expect(gunzipSync(packed.rawPayload)).toEqual(content);
  for (const accepted of [undefined, "br", "gzip;q=0, br"]) {
    const plain = await asked(accepted);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toBe("accept-encoding");
    expect(plain.rawPayload).toEqual(content);
  }
});
