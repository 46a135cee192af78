import { expect, test } from "vitest";
import { toVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { verifyPending } from "#lib/services/hooks/verify-pending.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import { newBody, signStripe, stripeSecret, verifying } from "#server/testing/signers.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const stripe = verifying("stripe", stripeSecret);

function change(hook: TestHook, patch: object) {
  return updateHook(testContext(bench.db, hook.accountId), {
    id: hook.id,
    ...hookPatchSchema.parse(patch),
  });
}

/** The status of a signed delivery to a last segment in the account of a hook. */
async function deliver(hook: TestHook, segment: string): Promise<number> {
  const body = newBody();
  const url = `/catch/${hook.accountSlug}/${segment}`;
  return (await sendJson(bench.caught.port, url, body, signStripe(body))).status;
}

test("two accounts have the same path, and each accepts only what its own secret signed", async () => {
  const one = await addHook(bench.db, { ...stripe, path: "stripe" });
  const other = await addHook(bench.db, {
    ...verifying("stripe", "whsec_of_the_other_account"),
    path: "stripe",
  });
  expect(one.path).toBe(`/catch/${one.accountSlug}/stripe`);
  expect([await deliver(one, "stripe"), await deliver(other, "stripe")]).toEqual([200, 401]);
  expect((await sendJson(bench.caught.port, one.path, newBody())).status).toBe(401);
  expect([await deliver(one, "strip"), await deliver(one, "Stripe")]).toEqual([404, 404]);
  const stored = await readDeliveries(bench.db, one);
  expect(stored.map(({ status }) => status)).toEqual(["accepted", "rejected"]);
});

test("a new path keeps the URL before it for a day, and a path is free once no hook has it", async () => {
  const hook = await addHook(bench.db, stripe);
  expect([await deliver(hook, "acme"), await deliver(hook, hook.key)]).toEqual([404, 200]);
  const first = (await change(hook, { path: "acme" })).hook;
  expect(first.previousKeys.map(({ key }) => key)).toEqual([hook.key]);
  expect(Number(first.previousKeys[0]?.expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
  expect([await deliver(hook, "acme"), await deliver(hook, hook.key)]).toEqual([200, 200]);

  const second = (await change(hook, { path: "acme-eu" })).hook;
  expect(second.previousKeys.map(({ key }) => key)).toEqual(["acme", hook.key]);
  // A cached hook must not outlive the path that it was found by.
  expect(await deliver(hook, "acme")).toBe(200);
  await bench.db.$executeRaw`
    update hook_paths set expires_at = now() + interval '300 ms' where hook_id = ${hook.id}::uuid and path = 'acme'`;
  await expect.poll(() => deliver(hook, "acme")).toBe(404);
  expect(await deliver(hook, "acme-eu")).toBe(200);

  // The generated URL is another one, which no one has seen.
  const third = (await change(hook, { path: null })).hook;
  expect([third.path, third.key === hook.key]).toEqual([null, false]);
  expect([await deliver(hook, third.key), await deliver(hook, "acme-eu")]).toEqual([200, 200]);
  await endPreviousCatchUrls(testContext(bench.db, hook.accountId), { id: hook.id });
  for (const ended of [hook.key, "acme-eu"])
    await expect.poll(() => deliver(hook, ended)).toBe(404);

  await change(hook, { path: "acme" });
  const rotated = await rotateCatchUrl(testContext(bench.db, hook.accountId), {
    id: hook.id,
    expirePreviousAfterSeconds: 0,
  });
  expect([rotated.path, await deliver(hook, rotated.key)]).toEqual([null, 200]);
  await expect.poll(() => deliver(hook, "acme")).toBe(404);
  await change(hook, { path: "acme" });
  await deleteHook(testContext(bench.db, hook.accountId), { id: hook.id });
  await expect.poll(() => deliver(hook, "acme")).toBe(404);
  expect(await bench.db.hookPath.count({ where: { hookId: hook.id } })).toBe(0);
});

test("a hook with a path that awaits its secret stores what comes, and verifies it later", async () => {
  const hook = await addHook(bench.db, { provider: "stripe", status: "pending", path: "stripe" });
  const signed = newBody();
  await sendJson(bench.caught.port, hook.path, signed, signStripe(signed));
  await sendJson(bench.caught.port, hook.path, newBody());
  await change(hook, { signingSecret: stripeSecret });
  const context = testContext(bench.db, hook.accountId);
  await verifyPending(context, { id: hook.id });
  const stored = await readDeliveries(bench.db, hook);
  expect(stored.map(({ status }) => status)).toEqual(["accepted", "rejected"]);
});

test("who guesses a path doesn't know the verify token", async () => {
  const hook = await addHook(bench.db, {
    ...verifying("meta", "0123456789abcdef0123456789abcdef"),
    path: "meta",
  });
  const ask = async (token: string) => {
    const query = `hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`;
    return (await send(bench.caught.port, `${hook.path}?${query}`, { method: "GET" })).status;
  };
  expect(await ask(toVerifyToken("meta"))).toBe(401);
  expect(await ask(toVerifyToken(hook.key))).toBe(200);
});
