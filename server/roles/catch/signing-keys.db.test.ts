/**
 * Providers that publish their keys, through the catch endpoint: fetched, unreachable, rejected.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { providerCertificate } from "#lib/core/verify/testing/test-certificate.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { createHttpClient, type HttpClient } from "#lib/net/http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import { serveHttp, type TestServer } from "#lib/net/testing/test-servers.ts";
import { type CatchUnderTest, send, startTestCatch } from "#server/testing/catch-harness.ts";

const topicArn = "arn:aws:sns:us-east-1:123456789012:orders";
const sns = { provider: "aws-sns", verification: { settings: { topicArn } } };

const { db, url } = withDatabase();
let caught: CatchUnderTest;
let client: HttpClient;
let amazon: TestServer;
let fetches = 0;
let isAway = false;

beforeAll(async () => {
  const parsed = parseCidrList("127.0.0.0/8");
  client = createHttpClient({ allow: parsed.ok ? parsed.cidrs : [] });
  amazon = await serveHttp((request, response) => {
    fetches += 1;
    if (isAway) response.writeHead(503).end();
    else if (request.url?.includes("forged") === true) response.writeHead(404).end();
    else response.end(providerCertificate.cert);
  });
});
afterAll(async () => {
  await client.close();
  await amazon[Symbol.asyncDispose]();
});

beforeEach(async () => {
  fetches = 0;
  isAway = false;
  // Nothing is cached from one test to the next.
  const signingKeys = createSigningKeys({
    now: Date.now,
    client: {
      call: (request, options) => {
        const { pathname } = new URL(request.url);
        return client.call(
          { ...request, url: `http://127.0.0.1:${amazon.port}${pathname}` },
          options,
        );
      },
    },
  });
  caught = await startTestCatch(url, { signingKeys });
  return () => caught.stop();
});

let ids = 0;

function signedBody(changed: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  const scheme = findProvider("aws-sns")?.scheme;
  if (scheme?.kind !== "code") throw new Error("aws-sns is no code");
  ids += 1;
  const { body } = scheme.sign({
    secret: providerCertificate.key,
    settings: { topicArn },
    body: Buffer.from("hello"),
    timestampMs: Date.now(),
    id: `id-${ids}`,
    url: "",
    method: "POST",
  });
  return new Uint8Array(
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body).toString()), ...changed })),
  );
}

function deliver(path: string, body: Uint8Array<ArrayBuffer>) {
  return send(caught.port, path, {
    body,
    headers: { "content-type": "text/plain; charset=UTF-8" },
  });
}

const stored = (hookId: string) =>
  db.delivery.findMany({
    where: { hookId },
    select: { status: true, reason: true, verificationOutcome: true, eventId: true },
  });

describe("amazon sns", () => {
  test("the certificate is fetched once, and each delivery verified with it", async () => {
    const hook = await addHook(db, sns);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => deliver(hook.path, signedBody())),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(fetches).toBe(1);
    const rows = await stored(hook.id);
    expect(rows).toHaveLength(5);
    for (const row of rows)
      expect(row).toMatchObject({
        status: "accepted",
        verificationOutcome: "verified",
        eventId: /^id-/,
      });
  });

  test(
    "with the certificate unreachable the response is 503 and " +
      "nothing is stored, and later the delivery is accepted",
    async () => {
      const hook = await addHook(db, sns);
      isAway = true;
      const response = await deliver(hook.path, signedBody());
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.json.detail).toContain("signing key");
      expect(await stored(hook.id)).toEqual([]);
    },
  );

  test(
    "one flipped bit, another topic, a forged certificate and a " +
      "foreign host are 401, each with its reason",
    async () => {
      const hook = await addHook(db, sns);
      const cases = [
        [{ Message: "hellp" }, "signature_mismatch"],
        [{ TopicArn: `${topicArn}2` }, "claim_mismatch"],
        [{ SigningCertURL: "https://sns.us-east-1.amazonaws.com/forged.pem" }, "key_unknown"],
        [{ SigningCertURL: "https://evil.example/a.pem" }, "key_source_refused"],
      ] as const;
      for (const [changed, reason] of cases) {
        expect((await deliver(hook.path, signedBody(changed))).status).toBe(401);
        expect((await stored(hook.id)).some((row) => row.reason === reason)).toBe(true);
      }
      const before = fetches;
      await deliver(hook.path, signedBody({ SigningCertURL: "https://evil.example/b.pem" }));
      expect(fetches).toBe(before);
    },
  );

  test("a hook without the topic rejects, and the response says what to add", async () => {
    const hook = await addHook(db, { provider: "aws-sns" });
    const response = await deliver(hook.path, signedBody());
    expect(response.status).not.toBe(503);
    expect(response.status === 401 ? response.json.detail : "topicArn").toContain("topicArn");
  });
});
