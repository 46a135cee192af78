import type { RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../testing/test-servers.ts";
import { openBucket } from "./bucket.ts";

async function openBucketOf(
  respond: RequestListener,
  limits?: Parameters<typeof openBucket>[1],
): Promise<ReturnType<typeof openBucket>> {
  const server = await serveHttp(respond);
  const bucket = openBucket(
    {
      ...{ bucket: "archive", prefix: "", region: "eu-central-1", sessionToken: undefined },
      ...{ accessKeyId: "id", secretAccessKey: "key" },
      endpoint: `http://127.0.0.1:${server.port}`,
    },
    limits,
  );
  onTestFinished(async () => {
    await bucket.close();
    await server[Symbol.asyncDispose]();
  });
  return bucket;
}

function listingOf(nextToken: string): string {
  return `<ListBucketResult><Contents><Key>a</Key></Contents>
    <NextContinuationToken>${nextToken}</NextContinuationToken></ListBucketResult>`;
}

test("a listing whose next page is the same one again is an error, and not read forever", async () => {
  let pages = 0;
  const bucket = await openBucketOf((_request, response) => {
    pages += 1;
    if (pages > 5) response.statusCode = 400;
    response.end(listingOf("next"));
  });
  await expect(bucket.list("2026-08-24/")).rejects.toThrow(
    "The server of the bucket lists the same page again",
  );
});

test("nor is one that always has another page", async () => {
  let pages = 0;
  const bucket = await openBucketOf(
    (_request, response) => {
      pages += 1;
      response.end(listingOf(String(pages)));
    },
    { totalMs: 60_000, maxPages: 3 },
  );
  await expect(bucket.list("2026-08-24/")).rejects.toThrow(
    "The server of the bucket lists more than 3 pages",
  );
});

test("a page of a listing that is larger than any can be isn't read to its end", async () => {
  const bucket = await openBucketOf((_request, response) =>
    response.end(`<ListBucketResult>${" ".repeat(9 * 1024 * 1024)}</ListBucketResult>`),
  );
  await expect(bucket.list("2026-08-24/")).rejects.toThrow(
    "responded with more than 8388608 bytes",
  );
});

test("a response that keeps coming, but never ends, is given up", async () => {
  const bucket = await openBucketOf(
    (_request, response) => {
      const drip = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(drip));
    },
    { totalMs: 100, maxPages: 1 },
  );
  await expect(bucket.get("2026-08-24/manifest.json")).rejects.toThrow(
    "has not responded to the end within 0.1 s",
  );
});
