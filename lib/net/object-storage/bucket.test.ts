import { expect, test } from "vitest";
import { serveHttp } from "../testing/test-servers.ts";
import { openBucket } from "./bucket.ts";

test("a listing whose next page is the same one again is an error, and not read forever", async () => {
  let pages = 0;
  await using server = await serveHttp((_request, response) => {
    pages += 1;
    if (pages > 5) response.statusCode = 400;
    response.end(
      `<ListBucketResult><Contents><Key>a</Key></Contents>
        <NextContinuationToken>next</NextContinuationToken></ListBucketResult>`,
    );
  });
  const bucket = openBucket({
    ...{ bucket: "archive", prefix: "", region: "eu-central-1", sessionToken: undefined },
    ...{ accessKeyId: "id", secretAccessKey: "key" },
    endpoint: `http://127.0.0.1:${server.port}`,
  });
  await expect(bucket.list("2026-08-24/")).rejects.toThrow(
    "The server of the bucket lists the same page again",
  );
  await bucket.close();
});
