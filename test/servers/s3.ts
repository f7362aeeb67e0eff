import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";
import { afterAll, beforeAll, vi } from "vitest";

/** A server that speaks S3, for the tests of one `describe`, with a bucket in it. Its address may be read once those run. */
export interface UsedS3 {
  readonly endpoint: string;
  readonly bucket: string;
}

export function useS3(): UsedS3 {
  const app = buildApp({ logger: false });
  const bucket = "letters";
  let endpoint = "";
  beforeAll(async () => {
    // As people give them: by the environment, to whatever client the office makes.
    vi.stubEnv("AWS_ACCESS_KEY_ID", "tester");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a secret of no worth");
    endpoint = await app.listen({ port: 0, host: "127.0.0.1" });
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await app.close();
  });
  return {
    bucket,
    get endpoint() {
      return endpoint;
    },
  };
}
