import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { verifyPending } from "#lib/evaluate/stored/verify-pending.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import {
  event,
  secret,
  verifyParts,
  withPendingHooks,
} from "#server/testing/with-pending-hooks.ts";

const { bench, addPending, addSecret, deliver, rowsOf, verify } = withPendingHooks();

describe("a pending delivery", () => {
  test(
    "is verified by its own time, deduplicated, and run once, " +
      "however often and concurrently it is requested",
    async () => {
      const hook = await addPending();
      await addAction(bench.db, hook);
      await deliver(hook, event("evt_1"));
      await deliver(hook, event("evt_1"));
      await deliver(hook, event("evt_forged"), "whsec_of_an_attacker");
      await deliver(hook, event("evt_2"));
      // Long past by now: the tolerance is measured at its arrival.
      const received = new Date(Date.now() - 3_600_000);
      const body = event("evt_old");
      const payload = { payload: body, secret, timestamp: Math.floor(received.getTime() / 1000) };
      await send(bench.caught.port, hook.path, {
        body,
        headers: { "stripe-signature": Stripe.webhooks.generateTestHeaderString(payload) },
      });
      const old = (await rowsOf(hook)).at(-1)?.id ?? "";
      await bench.db
        .$executeRaw`update deliveries set received_at = ${received} where id = ${old}::uuid`;
      const before = await rowsOf(hook);

      await expect(verify(hook)).rejects.toMatchObject({ code: "conflict" });
      await addSecret(hook);
      const results = await Promise.all([verify(hook), verify(hook), verify(hook)]);
      const sum = (key: "accepted" | "duplicate" | "rejected") =>
        results.reduce((total, result) => total + result[key], 0);
      expect([sum("accepted"), sum("duplicate"), sum("rejected")]).toEqual([3, 1, 1]);
      expect(await verify(hook)).toEqual({ accepted: 0, duplicate: 0, rejected: 0, pending: 0 });

      const after = await rowsOf(hook);
      expect(
        after.map(({ id, body: bytes, headers }) => [id, Buffer.from(bytes).toString(), headers]),
      ).toEqual(
        before.map(({ id, body: bytes, headers }) => [id, Buffer.from(bytes).toString(), headers]),
      );
      expect(after.map(({ status, verificationOutcome }) => [status, verificationOutcome])).toEqual(
        [
          ["accepted", "verified"],
          ["duplicate", "verified"],
          ["rejected", "failed"],
          ["accepted", "verified"],
          ["accepted", "verified"],
        ],
      );
      expect(after[1]?.duplicateOf).toBe(after[0]?.id);
      expect(after[2]?.reason).toBe("signature_mismatch");
      expect(after[4]?.receivedAt).toEqual(received);
      const runs = await bench.db.queuedRun.findMany({ where: { hookId: hook.id } });
      expect(runs.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(
        [after[0]?.id, after[3]?.id, after[4]?.id].toSorted(),
      );
      // Then it is like any other: the provider's retry is a duplicate.
      expect((await deliver(hook, event("evt_2"))).json.status).toBe("duplicate");
    },
  );

  test("stays pending while none matches the secret", async () => {
    const hook = await addPending();
    await deliver(hook, event("evt_1"));
    await addSecret(hook, "whsec_mistyped");
    expect(await verify(hook)).toEqual({ accepted: 0, duplicate: 0, rejected: 0, pending: 1 });
    await addSecret(hook);
    expect(await verify(hook)).toEqual({ accepted: 1, duplicate: 0, rejected: 0, pending: 0 });
  });

  test("that can't be read stays pending, and the others don't wait for it", async () => {
    const hook = await addPending();
    for (const id of ["evt_damaged", "evt_1", "evt_2"]) await deliver(hook, event(id));
    const [damaged] = await rowsOf(hook);
    const headers = JSON.stringify([["stripe-signature", null]]);
    await bench.db
      .$executeRaw`update deliveries set headers = ${headers}::jsonb where id = ${damaged?.id}::uuid`;
    await addSecret(hook);
    expect(await verify(hook)).toEqual({ accepted: 2, duplicate: 0, rejected: 0, pending: 1 });
    expect((await rowsOf(hook))[0]).toMatchObject({ id: damaged?.id, status: "pending" });
  });

  test("is verified even after the first batch", async () => {
    const hook = await addPending();
    await addAction(bench.db, hook);
    await Promise.all(
      Array.from({ length: 230 }, (_, index) => deliver(hook, event(`evt_${index}`))),
    );
    await addSecret(hook);
    expect(await verify(hook)).toEqual({ accepted: 230, duplicate: 0, rejected: 0, pending: 0 });
    expect(await countRuns(bench.db, { hookId: hook.id })).toBe(230);
  });

  test("waits with its runs while the hook is paused", async () => {
    const hook = await addPending();
    await addAction(bench.db, hook);
    await deliver(hook, event("evt_1"));
    await addSecret(hook);
    await setHookStatus(testContext(bench.db, hook.accountId), { id: hook.id, status: "paused" });
    expect(await verify(hook)).toMatchObject({ accepted: 1 });
    expect(await bench.db.queuedRun.findMany({ where: { hookId: hook.id } })).toMatchObject([
      { reasonCode: null },
    ]);
  });

  test("can't be verified by another account, nor for a deleted hook", async () => {
    const hook = await addPending();
    const other = await addPending();
    await deliver(hook, event("evt_1"));
    await addSecret(hook);
    const stolen = verifyPending(bench.db, other.accountId, hook.id, verifyParts);
    await expect(stolen).rejects.toMatchObject({ code: "not_found" });
    await deleteHook(testContext(bench.db, hook.accountId), { id: hook.id });
    await expect(verify(hook)).rejects.toMatchObject({ code: "not_found" });
  });

  test.each<
    [string, string, string, (path: string, token: string) => [string, Record<string, string>]]
  >([
    ["a header", "gitlab", "the-token", (path, token) => [path, { "x-gitlab-token": token }]],
    [
      "a bearer token",
      "bearer",
      "the-token",
      (path, token) => [path, { authorization: `Bearer ${token}` }],
    ],
    [
      "a password",
      "basic-auth",
      "user:the-password",
      (path, token) => [path, { authorization: `Basic ${Buffer.from(token).toString("base64")}` }],
    ],
    [
      "a parameter",
      "mailchimp",
      "the-token",
      (path, token) => [`${path}?a=1&token=${token}&b=2`, {}],
    ],
    ["the path", "custom", "the-token", (path, token) => [`${path}/${token}/orders`, {}]],
  ])(
    "with its credential in %s is verified too: sealed until then, and removed afterwards",
    async (_name, provider, token, toRequest) => {
      const inPath = { kind: "token", source: { from: "path" } };
      const verification = provider === "custom" ? { verification: inPath } : {};
      const hook = await addHook(bench.db, { provider, status: "pending", ...verification });
      for (const sent of [token, "user:wrong-token"]) {
        const [path, headers] = toRequest(hook.path, sent);
        const response = await send(bench.caught.port, path, {
          body: '{"id":1}',
          headers: { "content-type": "application/json", cookie: "session=1", ...headers },
        });
        expect(response.status).toBe(200);
      }
      const stored = JSON.stringify(await rowsOf(hook));
      expect(stored).toContain("[redacted] sealed:");
      for (const text of [token, Buffer.from(token).toString("base64"), "session=1"])
        expect(stored).not.toContain(text);
      for (const { id } of await rowsOf(hook)) {
        const shown = await getDelivery(bench.db, hook.accountId, id);
        expect(shown.headersJson + shown.path + shown.query).not.toContain("sealed:");
      }
      await addSecret(hook, token);
      expect(await verify(hook)).toEqual({ accepted: 1, duplicate: 0, rejected: 1, pending: 0 });
      expect(JSON.stringify(await rowsOf(hook))).not.toContain("sealed:");
    },
  );
});

test("a secret in the body of a pending delivery is removed once it is verified", async () => {
  const hook = await addHook(bench.db, { provider: "figma", status: "pending" });
  await sendJson(bench.caught.port, hook.path, {
    event_type: "FILE_UPDATE",
    passcode: "the passcode",
    a: 1,
  });
  await addSecret(hook, "the passcode");
  expect(await verify(hook)).toMatchObject({ accepted: 1 });
  const [row] = await rowsOf(hook);
  expect(Buffer.from(row?.body ?? []).toString()).toBe(
    '{"event_type":"FILE_UPDATE","passcode":"[redacted]","a":1}',
  );
});
