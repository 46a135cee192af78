import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/catalog/catalog.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { updateHook } from "#lib/db/hooks/hooks.ts";
import { hookPatchSchema } from "#lib/schema/hook.ts";
import {
  addAction,
  addHook,
  send,
  startTestCatch,
  testSealer,
} from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

type Signed = (body: string) => Promise<Record<string, string>> | Record<string, string>;

const whsec = `whsec_${Buffer.from("a secret of 24 bytes, ok").toString("base64")}`;
const customScheme: Scheme = {
  kind: "mac",
  mac: "hmac",
  hash: "sha512",
  encoding: "base64",
  signature: {
    sources: [{ from: "header", name: "x-sig" }],
    format: { type: "prefixed", prefix: "s=" },
  },
  signed: { template: "{method}.{body}" },
  secret: { decode: "utf8" },
};

function byInterpreter(provider: string, secret: string, scheme?: Scheme): Signed {
  const known = scheme ?? findProvider(provider)?.scheme;
  if (known === undefined) throw new Error(provider);
  return (body) =>
    signRequest(known, secret, { body: Buffer.from(body), timestampMs: Date.now(), id: "msg_1" });
}

const now = () => new Date();
type ProviderCase = readonly [provider: string, secret: string, sign: Signed];

const providers: readonly ProviderCase[] = [
  [
    "stripe",
    "whsec_stripe_is_not_decoded",
    (payload) => ({
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: "whsec_stripe_is_not_decoded",
      }),
    }),
  ],
  [
    "github",
    "It's a Secret",
    async (body) => ({ "x-hub-signature-256": await signGithub("It's a Secret", body) }),
  ],
  [
    "svix",
    whsec,
    (body) => ({
      "svix-id": "msg_1",
      "svix-timestamp": String(Math.floor(Date.now() / 1000)),
      "svix-signature": new SvixWebhook(whsec).sign("msg_1", now(), body),
    }),
  ],
  [
    "standard-webhooks",
    whsec,
    (body) => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": new StandardWebhook(whsec).sign("msg_1", now(), body),
    }),
  ],
  ...(["shopify", "slack", "paddle", "bearer", "gitlab"] as const).map(
    (provider): ProviderCase => [
      provider,
      "a-shared-secret-1",
      byInterpreter(provider, "a-shared-secret-1"),
    ],
  ),
  ["basic-auth", "user:pass word", byInterpreter("basic-auth", "user:pass word")],
  ["linear", "lin_wh_secret_of_linear", byInterpreter("linear", "lin_wh_secret_of_linear")],
  ["custom", "custom secret", byInterpreter("custom", "custom secret", customScheme)],
];

function newBody(): string {
  return JSON.stringify({ id: crypto.randomUUID(), type: "a.b", webhookTimestamp: Date.now() });
}

async function deliver(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
  port = bench.caught.port,
) {
  const init = { body: typeof body === "string" ? body : new Uint8Array(body), headers };
  return send(port, path, { ...init, headers: { "content-type": "application/json", ...headers } });
}

const verifying = (provider: string, secret?: string) => ({
  provider,
  ...(secret === undefined ? {} : { signingSecret: secret }),
  ...(provider === "custom" ? { verification: customScheme } : {}),
});

/** Another secret of the same form. */
function previousSecret(provider: string, secret: string): string {
  if (provider === "basic-auth") return "user:old";
  return secret === whsec
    ? `whsec_${Buffer.from("another secret 24 bytes!").toString("base64")}`
    : "the-old-secret-1";
}

describe.each(providers)("%s", (provider, secret, sign) => {
  const proof = (headers: Record<string, string>) =>
    Object.keys(headers).find((name) => /signature|hmac|sig|token|authorization/.test(name)) ?? "";

  test("a signed delivery is accepted as verified, and with another body, another signature or none it is 401, recorded, and runs nothing", async () => {
    const hook = await addHook(bench.db, verifying(provider, secret));
    await addAction(bench.db, hook);
    const body = newBody();
    const headers = await sign(body);
    const good = await deliver(hook.path, body, headers);
    expect(good.status).toBe(200);
    const stored = await bench.db.delivery.findFirstOrThrow({ where: { hookId: hook.id } });
    expect(stored).toMatchObject({
      status: "accepted",
      verificationOutcome: "verified",
      verificationScheme: provider,
    });

    const name = proof(headers);
    const value = headers[name] ?? "";
    const last = value.at(-3) === "0" ? "1" : "0";
    const wrong = { ...headers, [name]: `${value.slice(0, -3)}${last}${value.slice(-2)}` };
    const rejected = [
      await deliver(hook.path, newBody(), wrong),
      await deliver(hook.path, body, {}),
    ];
    const isToken = ["gitlab", "bearer", "basic-auth"].includes(provider);
    if (!isToken) {
      const flipped = Buffer.from(body);
      flipped[5] = (flipped[5] ?? 0) ^ 1;
      rejected.push(await deliver(hook.path, flipped, headers));
    }
    expect(rejected.map(({ status, json }) => [status, json.code])).toEqual(
      rejected.map(() => [401, "signature_invalid"]),
    );
    for (const { text } of rejected) expect(text).not.toContain(secret);

    const rows = await bench.db.delivery.findMany({
      where: { hookId: hook.id, status: "rejected" },
      orderBy: { id: "asc" },
    });
    expect(rows.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/_(mismatch|malformed)$/),
      expect.stringMatching(/_missing$/),
      ...(isToken ? [] : [expect.stringMatching(/_mismatch$/)]),
    ]);
    expect(rows.every(({ verificationOutcome }) => verificationOutcome === "failed")).toBe(true);
    expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(1);
    if (isToken) {
      const dump = JSON.stringify(await bench.db.delivery.findMany({ where: { hookId: hook.id } }));
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("base64"));
    }
  });

  test("two secrets are active during a rotation, and the old one stops when it has expired", async () => {
    const before = previousSecret(provider, secret);
    const hook = await addHook(bench.db, verifying(provider, before));
    const rotation = { secret, expirePreviousAfterSeconds: 600 };
    await rotateHookSecret(bench.db, hook.accountId, hook.id, rotation, testSealer);
    const scheme = provider === "custom" ? customScheme : undefined;
    for (const signer of [sign, byInterpreter(provider, before, scheme)]) {
      const body = newBody();
      expect((await deliver(hook.path, body, await signer(body))).status).toBe(200);
    }
    await bench.db
      .$executeRaw`update hook_secrets set expires_at = now() where hook_id = ${hook.id}::uuid and expires_at is not null`;
    const late = async () => {
      const body = newBody();
      return (await deliver(hook.path, body, await byInterpreter(provider, before, scheme)(body)))
        .status;
    };
    await expect.poll(late, { timeout: 1_000, interval: 10 }).toBe(401);
    const body = newBody();
    expect((await deliver(hook.path, body, await sign(body))).status).toBe(200);
  });
});

const stripe = providers[0]?.[2] as Signed;
const stripeSecret = providers[0]?.[1] ?? "";

test("a hook without its secret rejects, and a secret set through another connection applies to the very next delivery", async () => {
  // One process that gets notifications, and one that doesn't and only has the check before a
  // rejection.
  const nowhere = "postgresql://nobody@127.0.0.1:1/nothing";
  const deaf = await startTestCatch(bench.database.url, { databaseUrl: nowhere });
  for (const { port } of [bench.caught, deaf]) {
    for (let round = 0; round < 5; round += 1) {
      const hook = await addHook(bench.db, verifying("stripe"));
      const body = newBody();
      const missing = await deliver(hook.path, body, await stripe(body), port);
      expect([missing.status, missing.json.code]).toEqual([401, "signature_invalid"]);
      expect(missing.json.detail).toContain("no signing secret");
      const patch = hookPatchSchema.parse({ signingSecret: stripeSecret });
      await updateHook(bench.db, hook.accountId, hook.id, patch, testSealer);
      expect((await deliver(hook.path, body, await stripe(body), port)).status).toBe(200);
    }
  }
  await deaf.stop();
});

test("a replaced secret stops working within a second", async () => {
  const hook = await addHook(bench.db, verifying("stripe", stripeSecret));
  const attempt = async () => {
    const body = newBody();
    return (await deliver(hook.path, body, await stripe(body))).status;
  };
  expect(await attempt()).toBe(200);
  const patch = hookPatchSchema.parse({ signingSecret: "whsec_a_new_one_entirely" });
  await updateHook(bench.db, hook.accountId, hook.id, patch, testSealer);
  await expect.poll(attempt, { timeout: 1_000, interval: 10 }).toBe(401);
});

test("secrets sealed by another key or moved from another hook are ignored", async () => {
  const [victim, thief] = [
    await addHook(bench.db, verifying("stripe", stripeSecret)),
    await addHook(bench.db, verifying("stripe")),
  ];
  await bench.db
    .$executeRaw`update hook_secrets set hook_id = ${thief.id}::uuid, account_id = ${thief.accountId}::uuid where hook_id = ${victim.id}::uuid`;
  const body = newBody();
  expect((await deliver(thief.path, body, await stripe(body))).status).toBe(401);
});

test("a stale timestamp is 401 with its reason, a replay within the tolerance a duplicate", async () => {
  const hook = await addHook(bench.db, verifying("stripe", stripeSecret));
  const body = newBody();
  const timestamp = Math.floor(Date.now() / 1000) - 400;
  const stale = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: stripeSecret,
    timestamp,
  });
  const late = await deliver(hook.path, body, { "stripe-signature": stale });
  expect([late.status, late.json.detail]).toEqual([401, expect.stringContaining("too old")]);
  const headers = await stripe(body);
  expect((await deliver(hook.path, body, headers)).json.status).toBe("accepted");
  expect((await deliver(hook.path, body, headers)).json.status).toBe("duplicate");
});

test("an unknown stored scheme rejects, and an unreadable rule is 503: neither lets anything through", async () => {
  const [unknown, unreadable] = [await addHook(bench.db), await addHook(bench.db)];
  await bench.db
    .$executeRaw`update hooks set provider = 'from-the-future' where id = ${unknown.id}::uuid`;
  await bench.db
    .$executeRaw`update hooks set dedupe = '{"from":"moon"}' where id = ${unreadable.id}::uuid`;
  const other = await addHook(bench.db);
  const answers = await Promise.all(
    [unknown, unreadable, other].map(({ path }) => deliver(path, "{}", {})),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 503, 200]);
});

test("a token in the query is verified and never stored", async () => {
  const verification = { kind: "token", source: { from: "query", name: "Token" } };
  const hook = await addHook(bench.db, {
    provider: "custom",
    signingSecret: "query-token-secret",
    verification,
  });
  for (const query of [
    "a=1&Token=query-token-secret",
    "%54oken=query-token-secret",
    "Token=wrong-query-token",
  ]) {
    await deliver(`${hook.path}?${query}`, "{}", {});
  }
  const rows = await bench.db.delivery.findMany({
    where: { hookId: hook.id },
    orderBy: { id: "asc" },
  });
  expect(rows.map(({ status }) => status)).toEqual(["accepted", "accepted", "rejected"]);
  expect(JSON.stringify(rows)).not.toContain("query-token");
});

test.each([
  [
    "figma",
    (passcode: string) => ({
      passcode,
      event_type: "FILE_UPDATE",
      webhook_id: "w1",
      file_key: "k",
    }),
  ],
  [
    "microsoft-graph",
    (clientState: string) => ({
      value: [{ clientState, changeType: "updated", subscriptionId: "s" }],
    }),
  ],
])("%s: a secret in the body is not stored in plain text", async (provider, bodyOf) => {
  const secret = 'pass"code/with ☃ 1';
  const hook = await addHook(bench.db, { provider, signingSecret: secret, splitBatches: false });
  expect((await deliver(hook.path, JSON.stringify(bodyOf(secret)), {})).status).toBeLessThan(300);
  expect((await deliver(hook.path, JSON.stringify(bodyOf("another")), {})).status).toBe(401);
  const rows = await bench.db.delivery.findMany({
    where: { hookId: hook.id },
    select: { body: true, status: true },
  });
  const accepted = rows.find(({ status }) => status === "accepted");
  const text = Buffer.from(accepted?.body ?? []).toString("utf8");
  expect(JSON.parse(text)).toEqual(bodyOf("[redacted]"));
});

test("a hook's own tolerance decides how old a delivery may be, and a change applies at once", async () => {
  const secret = "whsec_stripe_is_not_decoded";
  const hook = await addHook(bench.db, verifying("stripe", secret));
  const sendAged = (seconds: number) => {
    const timestamp = Math.floor(Date.now() / 1000) - seconds;
    const header = Stripe.webhooks.generateTestHeaderString({ payload: "{}", secret, timestamp });
    return deliver(hook.path, "{}", { "stripe-signature": header });
  };
  expect((await sendAged(600)).status).toBe(401);
  const { accountId, id } = hook;
  await updateHook(
    bench.db,
    accountId,
    id,
    hookPatchSchema.parse({ toleranceSeconds: 900 }),
    testSealer,
  );
  expect((await sendAged(600)).status).toBe(200);
  expect((await sendAged(1000)).status).toBe(401);
});
