import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { deleteCredential } from "#lib/services/credentials.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { removeRegistration } from "#lib/services/registrations.ts";
import { workOnce } from "../testing/work.ts";
import { github, gitlab, shopify, stripe } from "./testing/examples.ts";
import {
  startFakeGithub,
  startFakeGitlab,
  startFakeShopify,
  startFakeStripe,
} from "./testing/fake-registrars.ts";
import { setUpRegistration } from "./testing/set-up.ts";

const { db } = withDatabase();
const newClient = withClients();
beforeEach(() => db.registration.deleteMany());

const providers = [
  { ...stripe, start: () => startFakeStripe(), listed: ["invoice.paid", "charge.refunded"] },
  { ...github, start: () => startFakeGithub(), listed: ["push", "pull_request"] },
  { ...gitlab, start: startFakeGitlab, listed: ["push_events", "note_events"] },
  { ...shopify, start: startFakeShopify, listed: ["ORDERS_CREATE", "ORDERS_PAID"] },
] as const;

/** What is registered for a URL: types of all webhooks with it. */
const typesOf = (webhooks: readonly { url: string; eventTypes: string[] }[], url: string) =>
  webhooks.filter((each) => each.url === url).flatMap(({ eventTypes }) => eventTypes);

it.each(providers)("$provider: registered once, kept, changed, and removed", async (given) => {
  await using fake = await given.start();
  const { hook, context, url, register, look, read, secrets } = await setUpRegistration(
    db,
    newClient,
    fake,
    given,
  );
  const other = { ...{ id: "1", url: "https://other.example.test/", eventTypes: ["push"] } };
  fake.webhooks.push({ ...other, isEnabled: false, secret: "s", mark: null });
  expect(await register()).toMatchObject({ status: "connecting" });
  expect(await look(0)).toMatchObject({ status: "registered", reason: null, isAdopted: false });
  expect(typesOf(fake.webhooks, url).toSorted()).toEqual([...given.listed].toSorted());
  const made = fake.webhooks.find((each) => each.url === url);
  const [secret] = await secrets();
  if (secret === undefined) throw new Error("The hook has no secret");
  const known = openSecret(hook.accountId, secret, testSealer);
  expect(known).toBe(given.provider === "shopify" ? shopify.signingSecret : made?.secret);

  // Nothing to do: it only looks.
  const before = fake.requests.length;
  await look();
  await look(1);
  expect(fake.requests.length).toBe(before + 1);

  // Other types, and a new URL while the old one still works.
  await register({ eventTypes: [given.eventTypes[0]] });
  await rotateCatchUrl(context, { id: hook.id });
  await look(0);
  const { url: newUrl } = await read();
  expect(newUrl).not.toBe(url);
  expect(typesOf(fake.webhooks, newUrl ?? "")).toEqual([given.listed[0]]);
  expect(typesOf(fake.webhooks, url)).toEqual([]);
  expect(fake.webhooks.find((each) => each.url === newUrl)?.secret ?? null).toBe(
    made?.secret ?? null,
  );

  await removeRegistration(context, { id: hook.id });
  expect(await look(0)).toBeNull();
  expect(fake.webhooks).toEqual([{ ...other, isEnabled: false, secret: "s", mark: null }]);
});

it.each(providers)("$provider: one with our URL is adopted, never made twice", async (given) => {
  await using fake = await given.start();
  const { url, register, look } = await setUpRegistration(db, newClient, fake, {
    signingSecret: "whsec_0123456789abcdef0123",
    ...given,
  });
  const [first = "", second = ""] = given.listed;
  const theirs = { isEnabled: true, secret: "whsec_theirs", mark: null };
  fake.webhooks.push({ id: "77", url, eventTypes: [second], ...theirs });
  await register({ eventTypes: [given.eventTypes[0]] });
  expect(await look(0)).toMatchObject({ status: "registered", isAdopted: true });
  expect(typesOf(fake.webhooks, url).toSorted()).toEqual([first, second].toSorted());
  expect(fake.webhooks.find(({ id }) => id === "77")).toBeDefined();
  // A secret that we may set is the hook's, which it accepts already.
  const isOurs = given.provider === "github" || given.provider === "gitlab";
  expect(fake.webhooks.find(({ id }) => id === "77")?.secret).toBe(
    isOurs ? "whsec_0123456789abcdef0123" : "whsec_theirs",
  );
});

describe("a secret that is said only once", () => {
  it("whose worker was killed before it was stored: the webhook is made again, not twice", async () => {
    await using fake = await startFakeStripe();
    const { register, look, secrets, hook } = await setUpRegistration(db, newClient, fake, stripe);
    await register();
    // The provider has made it, and its response is lost.
    fake.onRequest = ({ method }) => {
      if (method === "POST") fake.failures = [{ status: 502, body: {}, afterwards: true }];
    };
    expect(await look(0)).toMatchObject({
      status: "connecting",
      reason: expect.stringMatching(/502/),
    });
    expect(fake.webhooks).toHaveLength(1);
    fake.onRequest = () => {};
    await look();
    expect(fake.webhooks).toHaveLength(1);
    const [secret] = await secrets();
    const known = secret === undefined ? null : openSecret(hook.accountId, secret, testSealer);
    expect(known).toBe(fake.webhooks[0]?.secret);
  });

  it("is stored with its id, or the webhook is removed again", async () => {
    await using fake = await startFakeStripe();
    const { register, look, secrets } = await setUpRegistration(db, newClient, fake, stripe);
    await register();
    await db.$executeRaw`
      create function refuse_secret() returns trigger language plpgsql as $$ begin raise 'no'; end $$`;
    await db.$executeRaw`create trigger refuse before insert on hook_secrets for each row execute function refuse_secret()`;
    expect(await look(0)).toMatchObject({ status: "connecting", providerId: null });
    expect(fake.webhooks).toEqual([]);
    await db.$executeRaw`drop function refuse_secret cascade`;
    expect(await look()).toMatchObject({ status: "registered" });
    expect([fake.webhooks.length, (await secrets()).length]).toEqual([1, 1]);
  });
});

it.each([
  ["github", github, () => startFakeGithub()],
  ["gitlab", gitlab, startFakeGitlab],
] as const)("%s: a rotated secret is set there too", async (_, given, start) => {
  await using fake = await start();
  const { register, look, context, hook } = await setUpRegistration(db, newClient, fake, given);
  await register();
  await look(0);
  await rotateHookSecret(context, { id: hook.id, secret: "a new and long secret" });
  await look(0);
  expect(fake.webhooks[0]?.secret).toBe("a new and long secret");
});

it.each([
  [{ status: 401, body: {} }, "failing", /doesn't accept the credential “key” \(401\)/],
  [{ status: 403, body: {} }, "failing", /doesn't let the credential “key” change webhooks/],
  [
    { status: 400, body: { error: { message: "Not a valid URL" } } },
    "failing",
    /^Stripe rejected the request with 400: Not a valid URL\.$/,
  ],
  [{ status: 429, body: {}, headers: { "retry-after": "600" } }, "connecting", /limits how often/],
  [{ status: 503, body: {} }, "connecting", /^Stripe is out of order \(503\)\.$/],
  [{ status: 200, body: "<html>" }, "connecting", /something else than its documentation/],
] as const)("says in one sentence what %j means", async (failure, status, reason) => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  await set.register();
  fake.failures = [failure];
  expect(await set.look(0)).toMatchObject({ status, reason: expect.stringMatching(reason) });
  expect(await set.problems()).toHaveLength(status === "failing" ? 1 : 0);
  // `Retry-After` is obeyed.
  const waits = failure.status === 429 ? 9 : 0;
  if (waits > 0) await set.look(waits);
  expect(fake.requests).toHaveLength(1);
  expect(await set.look(16)).toMatchObject({ status: "registered", reason: null });
});

it("an outage of the provider is a problem after half an hour", async () => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  await set.register();
  await set.look(0);
  fake.failures = Array.from({ length: 20 }, () => ({ status: 503, body: {} }));
  await set.look(5);
  await set.look(20);
  expect(await set.problems()).toEqual([]);
  await set.look(20);
  expect(await set.problems()).toMatchObject([{ state: "open" }]);
  fake.failures = [];
  await set.look(20);
  expect(await set.problems()).toMatchObject([{ state: "resolved" }]);
});

it("a deleted hook's webhook goes with it if asked, and stays otherwise", async () => {
  for (const isRemoved of [true, false]) {
    await using fake = await startFakeStripe();
    const set = await setUpRegistration(db, newClient, fake, stripe);
    await set.register();
    await set.look(0);
    await deleteHook(set.context, { id: set.hook.id, removeRegistration: isRemoved });
    fake.failures = [{ status: 503, body: {} }];
    await set.look(0);
    // The hook's row stays until its webhook is gone.
    await purgeDeletedHooks(db);
    await set.look();
    expect(fake.webhooks).toHaveLength(isRemoved ? 0 : 1);
    expect(await db.registration.count({ where: { hookId: set.hook.id } })).toBe(0);
  }
});

it("a deleted credential is one problem, and another one goes on", async () => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  const { credentialId } = await set.register();
  await set.look(0);
  await deleteCredential(set.context, { id: credentialId ?? "" });
  expect(await set.look()).toMatchObject({
    status: "failing",
    reason: "The credential was deleted. Connect again with another one.",
  });
});

it("of two workers one looks, and what a person changes meanwhile isn't lost", async () => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  await set.register();
  await set.look(0);
  set.clock.ms += 300_000;
  fake.onRequest = async () => {
    fake.onRequest = () => {};
    expect(await workOnce(set.job)).toBe(false);
    await set.register({ eventTypes: ["invoice.voided"] });
  };
  await workOnce(set.job);
  expect(fake.webhooks[0]?.eventTypes).toEqual(stripe.eventTypes);
  await set.look(0);
  expect(fake.webhooks[0]?.eventTypes).toEqual(["invoice.voided"]);
});

it.each([
  [{ resource: "acme/shop" }, "resource: must be left out: Stripe needs none."],
  [
    { eventTypes: ["not a type"] },
    /eventTypes: has “not a type”, which isn't an event type of Stripe/,
  ],
  [{ credentialId: newId() }, /credential/],
] as const)("rejects %j", async (more, message) => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  const eventTypes = [...("eventTypes" in more ? more.eventTypes : stripe.eventTypes)];
  await expect(set.register({ ...more, eventTypes })).rejects.toThrow(message);
});

it("a registered hook keeps its provider, and what is only forgotten leaves no problem", async () => {
  await using fake = await startFakeGithub();
  const set = await setUpRegistration(db, newClient, fake, github);
  await set.register();
  await set.look(0);
  const { id } = set.hook;
  await expect(updateHook(set.context, { id, provider: "gitlab" })).rejects.toThrow(/Disconnect/);
  fake.webhooks[0] = {
    ...{ id: "55", url: "https://elsewhere.example.test/", mark: null, secret: null },
    ...{ isEnabled: true, eventTypes: [] },
  };
  await set.look();
  expect(await set.problems()).toMatchObject([{ state: "open" }]);
  await removeRegistration(set.context, { id, keep: true });
  expect(fake.webhooks).toHaveLength(1);
  expect(await set.problems()).toMatchObject([{ state: "resolved", resolution: "deleted" }]);
  await updateHook(set.context, { id, provider: "gitlab" });
});

it("says which types the actions name and the webhook hasn't, until they are added", async () => {
  await using fake = await startFakeStripe();
  const set = await setUpRegistration(db, newClient, fake, stripe);
  const { accountId, id: hookId } = set.hook;
  const filter = { all: [{ path: "type", op: "in", value: ["invoice.paid", "invoice.voided"] }] };
  const request = { method: "POST", url: "https://crm.example.test/" };
  const action = { accountId, hookId, name: "act", request, timeoutMs: 1_000, filter };
  await db.action.create({ data: { ...action, id: newId() } });
  await db.action.create({ data: { ...action, id: newId(), enabled: false } });
  expect(await set.register()).toMatchObject({ missingTypes: ["invoice.voided"] });
  expect(await set.look(0)).toMatchObject({
    registeredTypes: stripe.eventTypes,
    missingTypes: ["invoice.voided"],
  });
  // Someone adds it at the provider.
  fake.webhooks[0]?.eventTypes.push("invoice.voided");
  expect(await set.look()).toMatchObject({ missingTypes: [], eventTypes: stripe.eventTypes });
  fake.webhooks[0]?.eventTypes.pop();
  expect(await set.look()).toMatchObject({ missingTypes: ["invoice.voided"] });
  expect(
    await set.register({ eventTypes: [...stripe.eventTypes, "invoice.voided"] }),
  ).toMatchObject({ missingTypes: [] });
});
