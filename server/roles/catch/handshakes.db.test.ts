import { createHmac, createSecretKey, hash, sign } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/catalog/catalog.ts";
import { toVerifyToken } from "#lib/core/handshake/verify-token.ts";
import { signJwt } from "#lib/core/verify/jwt/jwt.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { sampleKeys, sampleRequest, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { setHookStatus } from "#lib/db/hooks/hooks.ts";
import {
  type Answer,
  addAction,
  addHook,
  send,
  sendRaw,
  startTestCatch,
  type TestHook,
} from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

type Sent = { suffix?: string; method?: string; headers?: Record<string, string>; body?: string };

/** A JSON body signed as the provider does, by the inverse of the scheme. */
function signed(
  provider: string,
  secret: string,
  value: unknown,
  headers: Record<string, string> = {},
): Sent {
  const scheme = findProvider(provider)?.scheme;
  if (scheme === undefined) throw new Error(provider);
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const input = { body: Buffer.from(body), timestampMs: Date.now(), id: "msg_1", headers };
  return {
    body,
    headers: {
      "content-type": "application/json",
      ...headers,
      ...signRequest(scheme, secret, input),
    },
  };
}

function deliver(
  path: string,
  { suffix = "", method = "POST", headers = {}, body }: Sent,
): Promise<Answer> {
  return send(bench.caught.port, path + suffix, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

const plainJson = (value: unknown): Sent => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
const get = (query: string): Sent => ({ method: "GET", suffix: `?${query}` });
const discord = sampleSecret(findProvider("discord")?.scheme ?? { kind: "bearer" }, "d");
const hmac = (encoding: "hex" | "base64", text: string) =>
  createHmac("sha256", "a secret").update(text).digest(encoding);

type Case = {
  readonly provider: string;
  readonly secret?: string;
  readonly settings?: Record<string, string>;
  readonly sent: (hook: TestHook) => Sent;
  readonly makeText?: (hook: TestHook) => string;
  readonly status?: number;
  readonly text: string;
  readonly type?: string | null;
  readonly headers?: Record<string, string>;
  readonly isVerified?: true;
};

const plain = "text/plain; charset=utf-8";
const json = "application/json";
const eventGrid = [
  {
    id: "1",
    eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
    data: { validationCode: "512d38b6" },
  },
];

const cases: readonly Case[] = [
  {
    provider: "meta",
    sent: (hook) =>
      get(
        `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${toVerifyToken(hook.key)}`,
      ),
    text: "1158201444",
    type: plain,
  },
  { provider: "dropbox", sent: () => get("challenge=abc%2Bd"), text: "abc+d", type: plain },
  { provider: "nylas", sent: () => get("challenge=abc"), text: "abc", type: plain },
  {
    provider: "microsoft-graph",
    sent: () => ({ suffix: "?validationToken=Validation%3a+Testing", body: "" }),
    text: "Validation: Testing",
    type: plain,
  },
  {
    provider: "x",
    sent: () => get("crc_token=challenge&nonce=n"),
    text: JSON.stringify({ response_token: `sha256=${hmac("base64", "challenge")}` }),
    type: json,
  },
  {
    provider: "okta",
    sent: () => ({ method: "GET", headers: { "x-okta-verification-challenge": "once" } }),
    text: '{"verification":"once"}',
    type: json,
  },
  {
    provider: "slack",
    sent: () => signed("slack", "a secret", { type: "url_verification", challenge: "3eZbrw1aB" }),
    text: "3eZbrw1aB",
    type: plain,
    isVerified: true,
  },
  {
    provider: "twitch",
    sent: () =>
      signed(
        "twitch",
        "a secret",
        { challenge: "pogchamp" },
        {
          "twitch-eventsub-message-type": "webhook_callback_verification",
        },
      ),
    text: "pogchamp",
    type: plain,
    isVerified: true,
  },
  {
    provider: "azure-event-grid",
    sent: () => ({
      suffix: "?token=a%20secret",
      headers: { "content-type": json },
      body: JSON.stringify(eventGrid),
    }),
    text: '{"validationResponse":"512d38b6"}',
    type: json,
    isVerified: true,
  },
  {
    provider: "cloudevents",
    sent: () => ({
      method: "OPTIONS",
      headers: {
        "webhook-request-origin": "eventemitter.example.com",
        "webhook-request-rate": "120",
      },
    }),
    text: "",
    type: null,
    headers: {
      "webhook-allowed-origin": "eventemitter.example.com",
      "webhook-allowed-rate": "*",
      allow: "POST",
    },
  },
  {
    provider: "zoom",
    sent: () =>
      signed("zoom", "a secret", {
        event: "endpoint.url_validation",
        payload: { plainToken: "q" },
      }),
    text: JSON.stringify({ plainToken: "q", encryptedToken: hmac("hex", "q") }),
    type: json,
    isVerified: true,
  },
  {
    provider: "discord",
    secret: discord.pasted,
    sent: () => signed("discord", discord.signing, { type: 1 }),
    text: '{"type":1}',
    type: json,
    isVerified: true,
  },
  {
    provider: "discord",
    secret: discord.pasted,
    sent: () => signed("discord", discord.signing, { type: 0 }),
    status: 204,
    text: "",
    type: null,
    isVerified: true,
  },
  {
    provider: "monday",
    sent: () => plainJson({ challenge: "c1" }),
    text: '{"challenge":"c1"}',
    type: json,
  },
  {
    provider: "braintree",
    settings: { publicKey: "c4vx3p2tgkyvqbrn" },
    sent: () => get("bt_challenge=20f9f8ed05f77439fe955c977e4c8a53"),
    text: `c4vx3p2tgkyvqbrn|${createHmac("sha1", hash("sha1", "a secret", "buffer"))
      .update("20f9f8ed05f77439fe955c977e4c8a53")
      .digest("hex")}`,
    type: plain,
  },
  {
    provider: "ebay",
    secret: sampleSecret(findProvider("ebay")?.scheme ?? { kind: "bearer" }, "ebay").pasted,
    sent: () => get("challenge_code=71745723-d031-455c-bfa5-f90d11b4f20a"),
    text: "",
    makeText: (hook) =>
      JSON.stringify({
        challengeResponse: hash(
          "sha256",
          `71745723-d031-455c-bfa5-f90d11b4f20a${toVerifyToken(hook.key)}https://hooks.example${hook.path}`,
        ),
      }),
    type: json,
  },
  { provider: "trello", sent: () => ({ method: "HEAD" }), text: "", type: null },
  { provider: "mandrill", sent: () => ({ method: "HEAD" }), text: "", type: null },
  { provider: "mailchimp", sent: () => ({ method: "GET" }), text: "", type: null },
  {
    provider: "xero",
    sent: () =>
      signed("xero", "a secret", { events: [], firstEventSequence: 0, entropy: "S0m3r4Nd0mt3xt" }),
    text: "",
    type: null,
    isVerified: true,
  },
  {
    provider: "woocommerce",
    sent: () => ({
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.8)",
      },
      body: "webhook_id=12",
    }),
    text: "",
    type: null,
  },
  {
    provider: "google-channels",
    sent: () => ({
      headers: { "x-goog-channel-token": "a secret", "x-goog-resource-state": "sync" },
    }),
    text: "",
    type: null,
    isVerified: true,
  },
];

describe.each(cases)(
  "$provider",
  ({ provider, secret = "a secret", settings, sent, ...expected }) => {
    test("gets the expected response, even while the hook is paused, and is recorded without a run or a key", async () => {
      const verification = settings === undefined ? undefined : { settings };
      const hook = await addHook(bench.db, { provider, signingSecret: secret, verification });
      await addAction(bench.db, hook);
      const expectAnswer = async () => {
        const answer = await deliver(hook.path, sent(hook));
        expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([
          expected.status ?? 200,
          expected.makeText?.(hook) ?? expected.text,
          expected.type,
        ]);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-security-policy")).toBe("sandbox");
        for (const [name, value] of Object.entries(expected.headers ?? {}))
          expect(answer.headers.get(name)).toBe(value);
      };
      await expectAnswer();
      await setHookStatus(bench.db, hook.accountId, hook.id, "paused");
      await expectAnswer();
      const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
      expect(rows.map(({ status }) => status)).toEqual(["handshake", "handshake"]);
      const outcome = expected.isVerified === true ? "verified" : "not_configured";
      expect(rows.map((row) => row.verificationOutcome)).toEqual([outcome, outcome]);
      expect(rows[0]?.detail).toMatch(/^Responded to the provider's /);
      expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(0);
      expect(await bench.db.dedupeKey.count({ where: { hookId: hook.id } })).toBe(0);
    });
  },
);

describe("a handshake that must be signed and isn't", () => {
  test.each(cases.filter(({ isVerified }) => isVerified === true))(
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
        : { ...right, body: `${right.body} ` };
      const answer = await deliver(hook.path, wrong);
      expect(answer.status).toBe(401);
      if (known.text !== "") expect(answer.text).not.toContain(known.text);
      const [row] = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
      expect(row).toMatchObject({ status: "rejected", verificationOutcome: "failed" });
    },
  );

  test("Xero: the rejection has no body either", async () => {
    const hook = await addHook(bench.db, { provider: "xero", signingSecret: "a secret" });
    const answer = await deliver(hook.path, {
      headers: { "content-type": json, "x-xero-signature": hmac("base64", "another body") },
      body: '{"events":[]}',
    });
    expect([answer.status, answer.text]).toEqual([401, ""]);
  });
});

describe("a stranger", () => {
  test("with a wrong verify token is rejected and recorded", async () => {
    const hook = await addHook(bench.db, { provider: "meta", signingSecret: "a secret" });
    const answer = await deliver(
      hook.path,
      get("hub.mode=subscribe&hub.challenge=1&hub.verify_token=no"),
    );
    expect([answer.status, answer.json.code]).toEqual([401, "signature_invalid"]);
    expect(answer.json.detail).toContain("verify token");
    const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
    expect(rows).toMatchObject([{ status: "rejected", reason: "verify_token_mismatch" }]);
  });

  test.each([
    ["markup", "challenge=%3Cscript%3Ealert(1)%3C/script%3E"],
    ["header lines", "challenge=a%0D%0ASet-Cookie:%20x=1"],
    ["a challenge without end", `challenge=${"a".repeat(3_000)}`],
  ])("gets nothing of its own back: %s", async (_name, query) => {
    const hook = await addHook(bench.db, { provider: "dropbox", signingSecret: "a secret" });
    const answer = await deliver(hook.path, get(query));
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    expect(answer.text).not.toMatch(/script|Set-Cookie|aaa/);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  test("finds no handshake at a hook whose provider has none, at a disabled hook, or without a hook", async () => {
    const generic = await addHook(bench.db);
    expect((await deliver(generic.path, get("challenge=1"))).status).toBe(405);
    expect((await deliver(generic.path, { method: "HEAD" })).status).toBe(405);
    const disabled = await addHook(bench.db, { provider: "dropbox", signingSecret: "a secret" });
    await setHookStatus(bench.db, disabled.accountId, disabled.id, "disabled");
    expect((await deliver(disabled.path, get("challenge=1"))).status).toBe(410);
    expect((await deliver(`${disabled.path}x`, get("challenge=1"))).status).toBe(404);
  });

  test("can't fill the disk with handshakes: beyond the limit they are answered but only counted", async () => {
    const hook = await addHook(bench.db, { provider: "trello", signingSecret: "a secret" });
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => deliver(hook.path, { method: "HEAD" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
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
    for (const { provider, secret = "a secret" } of cases) {
      const hook = await addHook(bench.db, { provider, signingSecret: secret });
      const answers = await Promise.all([
        ...bodies.map((body) => deliver(hook.path, { headers: { "content-type": json }, body })),
        deliver(hook.path, get("challenge=%00&validationToken=%FF".replace("%FF", "%C3%BF"))),
        deliver(hook.path, { method: "OPTIONS", headers: { "webhook-request-origin": "<>" } }),
        deliver(hook.path, { method: "HEAD", suffix: "?hub.mode=subscribe&hub.mode=subscribe" }),
        deliver(hook.path, { headers: { "x-hook-secret": "s" } }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
  });

  test("a challenge with a repeated header is an ordinary request", async () => {
    const hook = await addHook(bench.db, { provider: "okta", signingSecret: "a secret" });
    const lines = ["X-Okta-Verification-Challenge: a", "X-Okta-Verification-Challenge: b"];
    const raw = `GET ${hook.path} HTTP/1.1\r\nHost: x\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(bench.caught.port, raw)).received).toMatch(/^HTTP\/1\.1 405 /);
  });
});

describe("Amazon's confirmation", () => {
  const topicArn = "arn:aws:sns:us-east-1:123456789012:orders";
  const subscribeUrl = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`;
  const called: string[] = [];
  let isAnswering = true;
  let port = 0;

  beforeAll(async () => {
    const own = await startTestCatch(bench.database.url, {
      signingKeys: { find: sampleKeys, load: async () => false },
      confirmUrl: async (url) => {
        called.push(url);
        return isAnswering;
      },
    });
    port = own.port;
    return () => own.stop();
  });

  /** As sns-validator reads it: names and values of these fields, in this order. */
  function confirmation(
    changed: Record<string, string> = {},
    type = "SubscriptionConfirmation",
  ): string {
    const message: Record<string, string> = {
      Message: "You have chosen to subscribe to the topic",
      MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
      SubscribeURL: subscribeUrl,
      Timestamp: new Date().toISOString(),
      Token: "t",
      TopicArn: topicArn,
      Type: type,
      ...changed,
    };
    const text = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
      .map((name) => `${name}\n${message[name]}\n`)
      .join("");
    const scheme = findProvider("aws-sns")?.scheme ?? { kind: "bearer" };
    const signature = sign(
      "sha256",
      Buffer.from(text),
      sampleSecret(scheme, "aws-sns").signing,
    ).toString("base64");
    const url = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-sample.pem";
    return JSON.stringify({
      ...message,
      SignatureVersion: "2",
      SigningCertURL: url,
      Signature: signature,
    });
  }

  const deliverTo = (hook: TestHook, body: string) =>
    send(port, hook.path, { body, headers: { "content-type": "text/plain; charset=UTF-8" } });
  const addSns = () =>
    addHook(bench.db, { provider: "aws-sns", verification: { settings: { topicArn } } });

  test("is called once the signature matches, and confirmed, even while the hook is paused", async () => {
    const hook = await addSns();
    called.length = 0;
    expect((await deliverTo(hook, confirmation())).status).toBe(200);
    await setHookStatus(bench.db, hook.accountId, hook.id, "paused");
    expect((await deliverTo(hook, confirmation())).status).toBe(200);
    expect(called).toEqual([subscribeUrl, subscribeUrl]);
    const rows = await bench.db.delivery.findMany({ where: { hookId: hook.id } });
    expect(rows).toMatchObject(
      [1, 2].map(() => ({ status: "handshake", verificationOutcome: "verified" })),
    );
  });

  test("without a successful response makes SNS try again", async () => {
    const hook = await addSns();
    isAnswering = false;
    const answer = await deliverTo(hook, confirmation());
    isAnswering = true;
    expect([answer.status, answer.json.code]).toEqual([503, "unavailable"]);
    expect(await bench.db.delivery.count({ where: { hookId: hook.id } })).toBe(0);
  });

  test.each<[string, number, () => string]>([
    ["unsigned", 401, () => confirmation().replace("You have", "They have")],
    ["of another topic", 401, () => confirmation({ TopicArn: `${topicArn}2` })],
    [
      "to a host that is not Amazon's",
      400,
      () => confirmation({ SubscribeURL: "https://sns.evil.example/" }),
    ],
    [
      "to an address inside",
      400,
      () => confirmation({ SubscribeURL: "http://169.254.169.254/latest" }),
    ],
    ["with goodbye", 200, () => confirmation({}, "UnsubscribeConfirmation")],
  ])("%s is not called", async (_name, status, make) => {
    const hook = await addSns();
    called.length = 0;
    expect((await deliverTo(hook, make())).status).toBe(status);
    expect(called).toEqual([]);
  });
});

describe("the response that a provider expects once its delivery is stored", () => {
  const answers: readonly [string, [number, string, string | null]][] = [
    ["slack", [200, "", plain]],
    ["okta", [200, "", plain]],
    ["discord", [204, "", null]],
    ["twilio", [200, "<Response/>", "text/xml"]],
    ["dropbox-sign", [200, "Hello API Event Received", plain]],
    ["adyen", [200, "[accepted]", plain]],
    ["xero", [200, "", plain]],
  ];
  test("Adobe's client id is returned in the header that it came in", async () => {
    const hook = await addHook(bench.db, {
      provider: "adobe-sign",
      signingSecret: "BGBQIIE7H253K6",
    });
    const post = (id: string) =>
      send(bench.caught.port, hook.path, {
        body: '{"webhookNotificationId":"n1","event":"AGREEMENT_CREATED"}',
        headers: { "content-type": "application/json", "x-adobesign-clientid": id },
      });
    const [taken, rejected] = [await post("BGBQIIE7H253K6"), await post("another")];
    expect([taken.status, taken.headers.get("x-adobesign-clientid")]).toEqual([
      200,
      "BGBQIIE7H253K6",
    ]);
    expect([rejected.status, rejected.headers.get("x-adobesign-clientid")]).toEqual([401, null]);
  });

  test.each(answers)("%s", async (provider, expected) => {
    const scheme = findProvider(provider)?.scheme ?? { kind: "bearer" };
    const { signing, pasted } = sampleSecret(scheme, provider);
    const answerOf = async (input: object) => {
      const hook = await addHook(bench.db, { provider, signingSecret: pasted, ...input });
      const url = `https://hooks.example${hook.path}`;
      const { headers, body, query } = sampleRequest(scheme, signing, Date.now(), "text", url);
      const flat = Object.entries(headers).map(([name, values]): [string, string] => [
        name,
        values?.[0] ?? "",
      ]);
      const suffix = query === "" ? "" : `?${query}`;
      return send(bench.caught.port, hook.path + suffix, {
        headers: flat,
        body: new Uint8Array(body),
      });
    };
    const answer = await answerOf({});
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual(expected);
    const own = await answerOf({ response: { status: 202, body: "ours" } });
    expect([own.status, own.text]).toEqual([202, "ours"]);
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
  expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(0);
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
    expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(0);
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
