import { createSecretKey, hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { signJwt } from "#lib/core/verify/jwt/jwt.ts";
import { countDedupeKeys, countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendRaw, type TestResponse } from "#server/testing/catch-harness.ts";
import { get, handshakeCases, hmac, json, type Sent } from "#server/testing/handshake-cases.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

function deliver(
  path: string,
  { suffix = "", method = "POST", headers = {}, body }: Sent,
): Promise<TestResponse> {
  return send(bench.caught.port, path + suffix, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

describe.each(handshakeCases)(
  "$provider",
  ({ provider, secret = "a secret", settings, sent, ...expected }) => {
    test(
      "gets the expected response, even while the hook is " +
        "paused, and is recorded without a run or a key",
      async () => {
        const verification = settings === undefined ? undefined : { settings };
        const hook = await addHook(bench.db, { provider, signingSecret: secret, verification });
        await addAction(bench.db, hook);
        const expectResponse = async () => {
          const response = await deliver(hook.path, sent(hook));
          expect([response.status, response.text, response.headers.get("content-type")]).toEqual([
            expected.status ?? 200,
            expected.makeText?.(hook) ?? expected.text,
            expected.type,
          ]);
          expect(response.headers.get("x-content-type-options")).toBe("nosniff");
          expect(response.headers.get("content-security-policy")).toBe("sandbox");
          for (const [name, value] of Object.entries(expected.headers ?? {}))
            expect(response.headers.get(name)).toBe(value);
        };
        await expectResponse();
        await setHookStatus(testContext(bench.db, hook.accountId), {
          id: hook.id,
          status: "paused",
        });
        await expectResponse();
        const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
        expect(rows.map(({ status }) => status)).toEqual(["handshake", "handshake"]);
        const outcome = expected.isVerified === true ? "verified" : "not_configured";
        expect(rows.map((row) => row.verificationOutcome)).toEqual([outcome, outcome]);
        expect(rows[0]?.detail).toMatch(/^Responded to the provider's /);
        expect(await countRuns(bench.db, { hookId: hook.id })).toBe(0);
        expect(await countDedupeKeys(bench.db, hook.id)).toBe(0);
      },
    );
  },
);

describe("a handshake that must be signed and isn't", () => {
  test.each(handshakeCases.filter(({ isVerified }) => isVerified === true))(
    "$provider: 401 without the response",
    async (known) => {
      const { provider, secret = "a secret" } = known;
      const hook = await addHook(bench.db, { provider, signingSecret: secret });
      const right = known.sent(hook);
      const scheme = findProvider(provider)?.scheme;
      const isToken = scheme?.kind === "token";
      const wrong: Sent = isToken
        ? {
            ...right,
            suffix: "?token=other",
            headers: { ...right.headers, "x-goog-channel-token": "other" },
          }
        : right.method === "GET"
          ? { ...right, suffix: `${right.suffix}1` }
          : { ...right, body: `${right.body} ` };
      const response = await deliver(hook.path, wrong);
      expect(response.status).toBe(401);
      if (known.text !== "") expect(response.text).not.toContain(known.text);
      const [row] = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
      expect(row).toMatchObject({ status: "rejected", verificationOutcome: "failed" });
    },
  );

  test("Xero: the rejection has no body either", async () => {
    const hook = await addHook(bench.db, { provider: "xero", signingSecret: "a secret" });
    const response = await deliver(hook.path, {
      headers: { "content-type": json, "x-xero-signature": hmac("base64", "another body") },
      body: '{"events":[]}',
    });
    expect([response.status, response.text]).toEqual([401, ""]);
  });
});

describe("an attacker", () => {
  test("with a wrong verify token is rejected and recorded", async () => {
    const hook = await addHook(bench.db, { provider: "meta", signingSecret: "a secret" });
    const response = await deliver(
      hook.path,
      get("hub.mode=subscribe&hub.challenge=1&hub.verify_token=no"),
    );
    expect([response.status, response.json.code]).toEqual([401, "signature_invalid"]);
    expect(response.json.detail).toContain("verify token");
    const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
    expect(rows).toMatchObject([{ status: "rejected", reason: "verify_token_mismatch" }]);
  });

  test.each([
    ["markup", "challenge=%3Cscript%3Ealert(1)%3C/script%3E"],
    ["header lines", "challenge=a%0D%0ASet-Cookie:%20x=1"],
    ["a challenge without end", `challenge=${"a".repeat(3_000)}`],
  ])("gets nothing of its own back: %s", async (_name, query) => {
    const hook = await addHook(bench.db, { provider: "dropbox", signingSecret: "a secret" });
    const response = await deliver(hook.path, get(query));
    expect([response.status, response.json.code]).toEqual([400, "invalid_request"]);
    expect(response.text).not.toMatch(/script|Set-Cookie|aaa/);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("finds no handshake at a hook whose provider has none, at a disabled hook, or without a hook", async () => {
    const generic = await addHook(bench.db);
    expect((await deliver(generic.path, get("challenge=1"))).status).toBe(405);
    expect((await deliver(generic.path, { method: "HEAD" })).status).toBe(405);
    const disabled = await addHook(bench.db, { provider: "dropbox", signingSecret: "a secret" });
    await setHookStatus(testContext(bench.db, disabled.accountId), {
      id: disabled.id,
      status: "disabled",
    });
    expect((await deliver(disabled.path, get("challenge=1"))).status).toBe(410);
    expect((await deliver(`${disabled.path}x`, get("challenge=1"))).status).toBe(404);
  });

  test("can't fill the disk with handshakes: beyond the limit they are answered but only counted", async () => {
    const hook = await addHook(bench.db, { provider: "trello", signingSecret: "a secret" });
    const responses = await Promise.all(
      Array.from({ length: 150 }, () => deliver(hook.path, { method: "HEAD" })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const recorded = await bench.db.delivery.count({ where: { hookId: hook.id } });
    expect(recorded).toBeGreaterThanOrEqual(60);
    // The minute may change meanwhile.
    expect(recorded).toBeLessThanOrEqual(120);
  });

  test("can send anything and never gets a 5xx", async () => {
    const bodies = [
      "",
      "[]",
      "null",
      '{"type":',
      '{"type":"url_verification","challenge":{}}',
      "\u0000",
    ];
    for (const { provider, secret = "a secret" } of handshakeCases) {
      const hook = await addHook(bench.db, { provider, signingSecret: secret });
      const responses = await Promise.all([
        ...bodies.map((body) => deliver(hook.path, { headers: { "content-type": json }, body })),
        deliver(hook.path, get("challenge=%00&validationToken=%FF".replace("%FF", "%C3%BF"))),
        deliver(hook.path, { method: "OPTIONS", headers: { "webhook-request-origin": "<>" } }),
        deliver(hook.path, { method: "HEAD", suffix: "?hub.mode=subscribe&hub.mode=subscribe" }),
        deliver(hook.path, { headers: { "x-hook-secret": "s" } }),
      ]);
      for (const { status } of responses) expect(status).toBeLessThan(500);
    }
  });

  test("a challenge with a repeated header is an ordinary request", async () => {
    const hook = await addHook(bench.db, { provider: "okta", signingSecret: "a secret" });
    const lines = ["X-Okta-Verification-Challenge: a", "X-Okta-Verification-Challenge: b"];
    const raw = `GET ${hook.path} HTTP/1.1\r\nHost: x\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(bench.caught.port, raw)).received).toMatch(/^HTTP\/1\.1 405 /);
  });
});

test("what X's handshake reveals can't be used to sign an event", async () => {
  const hook = await addHook(bench.db, {
    provider: "x",
    signingSecret: "the-consumer-secret-of-the-app",
  });
  await addAction(bench.db, hook);
  // JSON as well as text.
  for (const body of ["20261121", "some.words"]) {
    const told = await send(bench.caught.port, `${hook.path}?crc_token=${body}`, { method: "GET" });
    const signature = told.json.response_token as string;
    expect(signature).toMatch(/^sha256=/);
    const forged = await send(bench.caught.port, hook.path, {
      body,
      headers: { "content-type": "text/plain", "x-twitter-webhooks-signature": signature },
    });
    expect(forged.status).toBe(401);
  }
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(0);
});

describe("a custom hook", () => {
  const challenge = "890e4665-4dfe-4ab1-b689-ed553bceeed0";
  const linkedIn = {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "x-li-signature" }],
      format: { type: "prefixed", prefix: "hmacsha256=" },
    },
    signed: { template: "{timestamp}.{body}" },
    timestamp: {
      source: { from: "header", name: "x-time" },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
    secret: { decode: "utf8" },
    handshakes: [
      {
        method: "GET",
        challenge: { from: "query", name: "challengeCode" },
        hmac: { hash: "sha256", encoding: "hex" },
        reply: { json: { challengeCode: "{challenge}", challengeResponse: "{hmac}" } },
      },
    ],
  };

  test("responds to its own handshake, whose response can't be used to sign an event", async () => {
    const hook = await addHook(bench.db, {
      provider: "custom",
      signingSecret: "a secret",
      verification: linkedIn,
    });
    await addAction(bench.db, hook);
    const told = await deliver(hook.path, get(`challengeCode=${challenge}`));
    expect([told.status, told.json]).toEqual([
      200,
      { challengeCode: challenge, challengeResponse: hmac("hex", challenge) },
    ]);
    const time = String(Math.floor(Date.now() / 1000));
    for (const body of ["", "20261121", "="]) {
      const asked = await deliver(
        hook.path,
        get(`challengeCode=${encodeURIComponent(`${time}.${body}`)}`),
      );
      const headers = {
        "x-time": time,
        "x-li-signature": `hmacsha256=${asked.json.challengeResponse}`,
      };
      expect((await deliver(hook.path, { headers, body })).status).toBe(401);
    }
    expect(await countRuns(bench.db, { hookId: hook.id })).toBe(0);
    const body = '{"id":"1"}';
    const headers = {
      "x-time": time,
      "x-li-signature": `hmacsha256=${hmac("hex", `${time}.${body}`)}`,
    };
    expect((await deliver(hook.path, { headers, body })).status).toBe(200);
  });

  test("accepts a token as the proof of a delivery", async () => {
    const verification = {
      kind: "jwt",
      source: { from: "header", name: "authorization" },
      prefix: "Bearer ",
      algorithms: ["HS256"],
      bodyHash: { claim: "sha256", hash: "sha256", encoding: "hex" },
      maxAgeSeconds: 60,
    };
    const hook = await addHook(bench.db, {
      provider: "custom",
      signingSecret: "a secret",
      verification,
    });
    const body = '{"id":"1"}';
    const claims = { iat: Math.floor(Date.now() / 1000), sha256: hash("sha256", body, "hex") };
    const token = signJwt("HS256", createSecretKey(Buffer.from("a secret")), claims);
    const headers = { authorization: `Bearer ${token}` };
    expect((await deliver(hook.path, { headers, body })).status).toBe(200);
    expect((await deliver(hook.path, { headers, body: '{"id":"2"}' })).status).toBe(401);
  });
});
