import { createPublicKey } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import { hintHeaders, openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { completeChallenge } from "#lib/db/subscriptions/subscription-status.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { addRun, readRuns } from "#lib/db/testing/test-runs.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { rotateSubscriptionSecret } from "./subscription-secrets.ts";
import { disableSubscription, enableSubscription } from "./subscription-status.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "./write-subscriptions.ts";

const { db } = withDatabase();
let accountId: string;
let otherAccountId: string;

async function addAccount(): Promise<string> {
  const id = newId();
  await db.account.create({ data: { id, slug: `a${id.slice(-12)}`, name: "a" } });
  return id;
}

beforeAll(async () => {
  accountId = await addAccount();
  otherAccountId = await addAccount();
});

const of = (account: string) => testContext(db, account);

function ofRecipient(recipient: string) {
  const capabilities = portalCapabilities;
  const actor = { type: "portal", accountId, recipient, capabilities } as const;
  const variables = { CATCHMENT_PORTAL_EGRESS_ALLOW: "127.0.0.1/32" };
  return testContext(db, accountId, { actor, variables });
}

async function create(fields: object = {}, context = of(accountId)) {
  return await createSubscription(context, { receiverUrl: "https://example.com/in", ...fields });
}

const patternsOf = async (subscriptionId: string) =>
  (await db.subscriptionPattern.findMany({ where: { subscriptionId } }))
    .map(({ recipient, pattern }) => `${recipient}/${pattern}`)
    .toSorted();

/** The plain texts of the secrets, newest first, and when they end. */
async function openSecrets(subscriptionId: string) {
  const rows = await db.subscriptionSecret.findMany({
    where: { subscriptionId },
    orderBy: { id: "desc" },
  });
  return rows.map(({ id, accountId: owner, kind, ciphertext, publicKey, expiresAt }) => {
    const found = testSealer.open(ciphertext, subscriptionSecretPlace({ id, accountId: owner }));
    return {
      kind,
      publicKey,
      expiresAt,
      text: found.ok ? Buffer.from(found.plaintext).toString() : "",
    };
  });
}

describe("a new subscription", () => {
  it("has one row for each pattern, a sealed secret, and its recipient", async () => {
    const { subscription, secret } = await create({
      recipient: "cust_42",
      eventTypes: ["invoice.paid", "order.*"],
      headers: { "X-Key": "a secret of theirs" },
      metadata: { plan: "pro" },
      filter: { all: [{ path: "data.amount", op: "gt", value: 10 }] },
    });
    expect(await patternsOf(subscription.id)).toEqual(["cust_42/invoice.paid", "cust_42/order.*"]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await openSecrets(subscription.id)).map(({ text }) => text)).toEqual([secret]);
    expect(await db.recipient.count({ where: { accountId, id: "cust_42" } })).toBe(1);
    expect(await getSubscription(db, accountId, subscription.id)).toMatchObject({
      status: "active",
      metadata: { plan: "pro" },
      retry: { maxAttempts: 10, initialDelayMs: 5_000, maxDelayMs: 36_000_000 },
      secrets: [{ kind: "hmac", hint: secret.slice(-4), expiresAt: null }],
    });
    const [stored] = await db.$queryRaw<{ text: string }[]>`
      select row_to_json(s)::text as text from subscriptions s where id = ${subscription.id}::uuid`;
    expect(stored?.text).not.toContain(Buffer.from("a secret of theirs").toString("hex"));
    expect(hintHeaders(testSealer, subscription)).toEqual({ "X-Key": "••••eirs" });
  });

  it("with a key pair has a public key for its private one", async () => {
    const { subscription } = await create({ keyPair: true });
    const [pair] = (await openSecrets(subscription.id)).filter(({ kind }) => kind === "ed25519");
    const { x = "" } = createPublicKey(pair?.text ?? "").export({ format: "jwk" });
    expect(pair?.publicKey).toBe(`whpk_${Buffer.from(x, "base64url").toString("base64")}`);
    const change = { id: subscription.id, keyPair: false };
    const without = await updateSubscription(of(accountId), change);
    expect(without.secrets.map(({ kind }) => kind)).toEqual(["hmac"]);
  });

  it("isn't stored for a receiver URL in a private network", async () => {
    await expect(create({ receiverUrl: "http://127.0.0.1:9/" })).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ path: "receiverUrl", code: "not_allowed" }],
    });
  });

  it("isn't stored for a URL of this server, which would fail forever as a loop", async () => {
    const receiverUrl = "https://hooks.example.test/catch/acme/orders";
    const { subscription } = await create();
    const changes = [
      () => create({ receiverUrl }),
      () => create({ receiverUrl }, ofRecipient("cust_1")),
      () => updateSubscription(of(accountId), { id: subscription.id, receiverUrl }),
    ];
    const message = expect.stringContaining("points to this server");
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({
        errors: [{ path: "receiverUrl", code: "not_allowed", message }],
      });
  });

  it("from the portal waits for the challenge, and so does a new receiver URL", async () => {
    const portal = ofRecipient("cust_1");
    // Nothing listens at these ports.
    const { subscription } = await create({ receiverUrl: "http://127.0.0.1:65000/in" }, portal);
    const { id } = subscription;
    expect(subscription).toMatchObject({ status: "pending", statusReason: { code: "challenge" } });
    for (const change of [disableSubscription, enableSubscription])
      await expect(change(portal, { id })).rejects.toMatchObject({ code: "conflict" });
    const active = await completeChallenge(db, accountId, subscription);
    expect([active.status, active.statusReason]).toEqual(["active", null]);
    const moved = await updateSubscription(portal, {
      id,
      receiverUrl: "http://127.0.0.1:65001/in",
    });
    expect(moved.status).toBe("pending");
    // The response of the old URL says nothing about the new one.
    expect((await completeChallenge(db, accountId, subscription)).status).toBe("pending");
  });
});

describe("a change", () => {
  it("leaves what it doesn't name, and replaces the patterns", async () => {
    const { subscription } = await create({
      description: "d",
      rateLimit: { count: 5, perSeconds: 1 },
    });
    const patch = { id: subscription.id, eventTypes: ["a.b"], maxConcurrency: 3 };
    const after = await updateSubscription(of(accountId), patch);
    expect(after).toMatchObject({
      description: "d",
      rateLimit: { count: 5, perSeconds: 1 },
      maxConcurrency: 3,
      eventTypes: ["a.b"],
    });
    expect(await patternsOf(subscription.id)).toEqual(["/a.b"]);
  });

  it("adds and removes headers by name, and never takes one to another origin", async () => {
    const { subscription } = await create({ headers: { "X-A": "1", "X-B": "2" } });
    const change = (patch: object) =>
      updateSubscription(of(accountId), { ...patch, id: subscription.id });
    const after = await change({ headers: { "x-a": "3", "X-B": null, "X-C": "4" } });
    expect(openHeaders(testSealer, after)).toEqual({ "x-a": "3", "X-C": "4" });
    await expect(change({ receiverUrl: "https://evil.example.net/" })).rejects.toMatchObject({
      errors: [{ path: "headers", code: "required" }],
    });
    const moved = await change({ receiverUrl: "https://example.net/", headers: null });
    expect(moved.headersCiphertext).toBeNull();
  });
});

it("a rotation keeps the previous secret for as long as it says, and 0 ends it", async () => {
  const { subscription, secret: first } = await create();
  const rotate = (expirePreviousAfterSeconds: number) =>
    rotateSubscriptionSecret(of(accountId), { id: subscription.id, expirePreviousAfterSeconds });
  const { secret: second } = await rotate(604_800);
  const both = await openSecrets(subscription.id);
  expect(both.map(({ text }) => text)).toEqual([second, first]);
  expect(both.map(({ expiresAt }) => expiresAt === null)).toEqual([true, false]);
  const { secret: third } = await rotate(0);
  expect((await openSecrets(subscription.id)).map(({ text }) => text)).toEqual([third]);
});

it("another account's and another recipient's subscription isn't there", async () => {
  const { subscription } = await create({ recipient: "cust_a" });
  const { id } = subscription;
  const gone = { code: "not_found" };
  const other = ofRecipient("cust_b");
  const otherAccount = of(otherAccountId);
  for (const attempt of [
    () => getSubscription(db, otherAccountId, id),
    () => getSubscription(db, accountId, id, { recipient: "cust_b" }),
    () => updateSubscription(other, { id, description: "x" }),
    () => rotateSubscriptionSecret(other, { id, expirePreviousAfterSeconds: 0 }),
    () => disableSubscription(other, { id }),
    () => enableSubscription(otherAccount, { id }),
    () => deleteSubscription(other, { id }),
  ])
    await expect(attempt()).rejects.toMatchObject(gone);
  expect(await getSubscription(db, accountId, id, { recipient: "cust_a" })).toEqual(subscription);
  for (const [account, recipient] of [
    [otherAccountId, "cust_a"],
    [accountId, "cust_b"],
  ] as const)
    expect((await listSubscriptions(db, account, { recipient }, { limit: 10 })).items).toEqual([]);
});

it("a deleted subscription matches nothing, and its open runs are canceled", async () => {
  const { subscription } = await create();
  const run = await addRun(db, { accountId, targetId: subscription.id, state: "queued" });
  await deleteSubscription(of(accountId), { id: subscription.id });
  await expect(getSubscription(db, accountId, subscription.id)).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await patternsOf(subscription.id)).toEqual([]);
  expect(await openSecrets(subscription.id)).toEqual([]);
  expect(await readRuns(db, { id: run })).toMatchObject([
    { state: "cancelled", reasonCode: "subscription_gone" },
  ]);
});

it("a list filters by type, status, recipient, and text, and pages", async () => {
  const account = await addAccount();
  const ids: Record<string, string> = {};
  for (const [name, fields] of Object.entries({
    all: {},
    paid: { eventTypes: ["invoice.paid"], recipient: "r" },
    prefix: { eventTypes: ["invoice.*"], description: "The Big one" },
    other: { eventTypes: ["order.created"] },
  }))
    ids[name] = (await create(fields, of(account))).subscription.id;
  await disableSubscription(of(account), { id: ids.other ?? "" });
  const list = async (filter: object) =>
    (await listSubscriptions(db, account, filter, { limit: 10 })).items.map(({ id }) =>
      Object.keys(ids).find((name) => ids[name] === id),
    );
  expect(await list({})).toEqual(["other", "prefix", "paid", "all"]);
  expect(await list({ eventType: "invoice.paid" })).toEqual(["prefix", "paid", "all"]);
  expect(await list({ eventType: "invoice.paid.late" })).toEqual(["prefix", "all"]);
  expect(await list({ status: "disabled" })).toEqual(["other"]);
  expect(await list({ recipient: "r" })).toEqual(["paid"]);
  expect(await list({ q: "big ONE" })).toEqual(["prefix"]);
  const first = await listSubscriptions(db, account, { status: "active" }, { limit: 2 });
  const cursor = first.nextCursor ?? "";
  const rest = await listSubscriptions(db, account, { status: "active" }, { limit: 2, cursor });
  expect([first.items.length, rest.items.map(({ id }) => id), rest.nextCursor]).toEqual([
    2,
    [ids.all],
    null,
  ]);
});

it("a disabled subscription that is enabled starts with a clean record", async () => {
  const { subscription } = await create();
  const { id: subscriptionId } = subscription;
  await db.subscriptionHealth.create({
    data: { subscriptionId, accountId, failingSince: new Date(0) },
  });
  expect((await getSubscription(db, accountId, subscriptionId)).failingSince).toEqual(new Date(0));
  const off = await disableSubscription(of(accountId), { id: subscriptionId });
  expect([off.status, off.statusReason?.code]).toEqual(["disabled", "manual"]);
  const on = await enableSubscription(of(accountId), { id: subscriptionId });
  expect([on.status, on.statusReason, on.failingSince]).toEqual(["active", null, null]);
});

it("the time of failures starts again with another receiver URL, and not with another description", async () => {
  const { id } = (await create()).subscription;
  const data = { subscriptionId: id, accountId, failingSince: new Date(0) };
  await db.subscriptionHealth.create({ data });
  const update = (patch: object) => updateSubscription(of(accountId), { id, ...patch });
  expect((await update({ description: "billing" })).failingSince).toEqual(new Date(0));
  expect((await update({ receiverUrl: "https://example.com/new" })).failingSince).toBe(null);
});
