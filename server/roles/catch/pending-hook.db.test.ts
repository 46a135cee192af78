import { describe, expect, test } from "vitest";
import { createSampleMark, sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import { countPending } from "#lib/db/deliveries/stored-requests.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { countDedupeKeys, countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { pendingLimits } from "#lib/schema/receive/pending-limits.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import { readHandshakeSecret, rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import { event, secret, withPendingHooks } from "#server/testing/with-pending-hooks.ts";

const { bench, addPending, addSecret, deliver, rowsOf } = withPendingHooks();

describe("a hook that awaits its secret", () => {
  test("stores deliveries with a 2xx, without a run or a key", async () => {
    const hook = await addPending();
    expect(hook.status).toBe("pending");
    await addAction(bench.db, hook);
    for (const _ of [1, 2]) {
      const response = await deliver(hook, event("evt_1"));
      expect([response.status, response.json.status]).toEqual([200, "accepted"]);
    }
    const rows = await rowsOf(hook);
    expect(rows).toMatchObject(
      [1, 2].map(() => ({ status: "pending", verificationOutcome: "pending", eventId: "evt_1" })),
    );
    expect(await countRuns(bench.db, { hookId: hook.id })).toBe(0);
    expect(await countDedupeKeys(bench.db, hook.id)).toBe(0);
    const context = testContext(bench.db, hook.accountId);
    const replayed = replayDelivery(context, { id: rows[0]?.id ?? "" });
    await expect(replayed).rejects.toMatchObject({ code: "conflict" });
  });

  test("accepts a sample by its seal and runs it, and no outsider can claim to be one", async () => {
    const hook = await addPending();
    await addAction(bench.db, hook);
    const other = await addPending();
    const body = event("evt_sample");
    const mark = (of: TestHook, text: string, nowMs = Date.now()) =>
      createSampleMark(testSealer, {
        accountId: of.accountId,
        hookId: of.id,
        body: Buffer.from(text),
        nowMs,
      });
    const sendMarked = (value: string) =>
      send(bench.caught.port, hook.path, {
        body,
        headers: { "content-type": "application/json", [sampleHeader]: value },
      });
    const forged = [
      "true",
      mark(other, body),
      mark(hook, "{}"),
      mark(hook, body, Date.now() - 3_600_001),
    ];
    for (const value of forged) await sendMarked(value);
    const unproven = { status: "pending", isSample: false, verificationOutcome: "pending" };
    expect(await rowsOf(hook)).toMatchObject(forged.map(() => unproven));
    await sendMarked(mark(hook, body));
    const sample = {
      status: "accepted",
      isSample: true,
      verificationOutcome: "verified",
      verificationScheme: "sample",
    };
    expect((await rowsOf(hook)).at(-1)).toMatchObject(sample);
    expect(await countRuns(bench.db, { hookId: hook.id })).toBe(1);
  });

  test.each<[string, (hook: TestHook) => Promise<unknown>]>([
    ["saved with the hook", (hook) => addSecret(hook)],
    [
      "as a rotation",
      (hook) =>
        rotateHookSecret(testContext(bench.db, hook.accountId), {
          id: hook.id,
          secret,
          expirePreviousAfterSeconds: 0,
        }),
    ],
  ])("is active with its first secret, %s, for the very next delivery", async (_name, save) => {
    // The second process misses the notification and relies on the check before it stores a
    // delivery.
    const deaf = await startTestCatch(bench.url, {
      databaseUrl: "postgresql://nobody@127.0.0.1:1/nothing",
    });
    for (const { port } of [bench.caught, deaf]) {
      const hook = await addPending();
      await deliver(hook, event("evt_before"), secret, port);
      await save(hook);
      expect((await getHook(bench.db, hook.accountId, hook.id)).status).toBe("active");
      expect((await deliver(hook, event("evt_forged"), "whsec_another", port)).status).toBe(401);
      expect((await deliver(hook, event("evt_after"), secret, port)).status).toBe(200);
      const outcomes = (await rowsOf(hook)).map(({ verificationOutcome }) => verificationOutcome);
      expect(outcomes).toEqual(["pending", "failed", "verified"]);
    }
    await deaf.stop();
  });

  test("a hook that isn't pending, or whose secrets have expired, rejects deliveries", async () => {
    const silent = await addHook(bench.db, { provider: "stripe" });
    expect(silent.status).toBe("active");
    expect((await deliver(silent, event("evt_1"))).status).toBe(401);
    const lost = await addHook(bench.db, { provider: "stripe", signingSecret: secret });
    await bench.db.hookSecret.updateMany({
      where: { hookId: lost.id },
      data: { expiresAt: new Date(0) },
    });
    const response = await deliver(lost, event("evt_1"));
    expect([response.status, response.json.code]).toEqual([401, "signature_invalid"]);
  });

  test("waits for a limited time", async () => {
    const hook = await addPending();
    const longAgo = new Date(Date.now() - pendingLimits.days * 86_400_000 - 1_000);
    await bench.db.hook.update({ where: { id: hook.id }, data: { pendingSince: longAgo } });
    const response = await deliver(hook, event("evt_1"));
    expect([response.status, response.json.code]).toEqual([401, "signature_invalid"]);
    expect(response.json.detail).toContain("no signing secret");
    expect(await rowsOf(hook)).toMatchObject([{ status: "rejected", reason: "secret_missing" }]);
  });

  test.each([
    [
      "deliveries",
      `insert into deliveries select uuid_v7_at(now()), account_id, hook_id, status, reason, detail, received_at, method, path, query, headers,
      content_type, body_size, body, event_id, event_type, duplicate_of, verification_outcome, verification_scheme, source_ip, batch_id
      from deliveries cross join generate_series(2, ${pendingLimits.deliveries}) where hook_id = $1::uuid`,
    ],
    ["bytes", `update deliveries set body_size = ${pendingLimits.bytes} where hook_id = $1::uuid`],
  ])("stores a limited number of %s", async (_name, fill) => {
    const hook = await addPending();
    expect((await deliver(hook, event("evt_1"))).status).toBe(200);
    await bench.db.$executeRawUnsafe(fill, hook.id);
    expect((await deliver(hook, event("evt_2"))).status).toBe(401);
    const [row] = await bench.db.delivery.findMany({
      where: { hookId: hook.id, status: "rejected" },
    });
    expect(row?.reason).toBe("secret_missing");
  });

  test("keeps waiting while it is paused and after it was disabled, when it stores nothing", async () => {
    const hook = await addPending();
    const setTo = (status: "paused" | "active" | "disabled") =>
      setHookStatus(testContext(bench.db, hook.accountId), { id: hook.id, status: status });
    expect((await setTo("paused")).status).toBe("paused");
    expect((await deliver(hook, event("evt_1"))).status).toBe(200);
    await setTo("disabled");
    const deliverAgain = async () => (await deliver(hook, event("evt_2"))).status;
    // Until the change is heard.
    await expect.poll(deliverAgain).toBe(410);
    const waiting = await countPending(bench.db, hook.accountId, hook.id);
    expect(waiting).toBeGreaterThan(0);
    expect(await deliverAgain()).toBe(410);
    expect((await setTo("active")).status).toBe("pending");
    expect(await countPending(bench.db, hook.accountId, hook.id)).toBe(waiting);
  });

  test("echoes a challenge that can't wait for the secret, and computes none", async () => {
    const slack = await addHook(bench.db, { provider: "slack", status: "pending" });
    const challenge = await sendJson(bench.caught.port, slack.path, {
      type: "url_verification",
      challenge: "c",
    });
    expect([challenge.status, challenge.text]).toEqual([200, "c"]);
    expect(await rowsOf(slack)).toMatchObject([
      { status: "handshake", verificationOutcome: "pending" },
    ]);
    const zoom = await addHook(bench.db, { provider: "zoom", status: "pending" });
    const plain = { event: "endpoint.url_validation", payload: { plainToken: "q" } };
    expect((await sendJson(bench.caught.port, zoom.path, plain)).status).toBe(401);
    const x = await addHook(bench.db, { provider: "x", status: "pending" });
    expect((await send(bench.caught.port, `${x.path}?crc_token=c`, { method: "GET" })).status).toBe(
      401,
    );
    const discord = await addHook(bench.db, { provider: "discord", status: "pending" });
    expect((await sendJson(bench.caught.port, discord.path, { type: 1 })).status).toBe(401);
  });
});

describe("a secret from a handshake", () => {
  const asana = { "x-hook-secret": "b537207f20cbfa02357cf448134da559" };
  const greet = (hook: TestHook, headers: Record<string, string>, body = "{}") =>
    sendJson(bench.caught.port, hook.path, body, headers);

  test("is stored by a pending hook, returned, and sealed, and the hook becomes active", async () => {
    const hook = await addHook(bench.db, { provider: "asana" });
    expect(hook.status).toBe("pending");
    const response = await greet(hook, asana);
    expect([response.status, response.text, response.headers.get("x-hook-secret")]).toEqual([
      200,
      "",
      asana["x-hook-secret"],
    ]);
    const active = await getHook(bench.db, hook.accountId, hook.id);
    expect(active).toMatchObject({
      status: "active",
      secrets: [{ hint: "a559", origin: "handshake" }],
    });
    const rows = await rowsOf(hook);
    expect(rows).toMatchObject([{ status: "handshake" }]);
    expect(JSON.stringify(rows)).not.toContain(asana["x-hook-secret"]);
    const context = testContext(bench.db, hook.accountId);
    expect(await readHandshakeSecret(context, { id: hook.id })).toEqual({
      secret: asana["x-hook-secret"],
    });
  });

  test("of Notion comes in the body, and the owner can read it for a day", async () => {
    const hook = await addHook(bench.db, { provider: "notion" });
    const token = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";
    const response = await greet(hook, {}, JSON.stringify({ verification_token: token }));
    expect([response.status, response.text]).toEqual([200, ""]);
    const [row] = await rowsOf(hook);
    expect(Buffer.from(row?.body ?? []).toString()).toBe('{"verification_token":"[redacted]"}');
    const read = () => readHandshakeSecret(testContext(bench.db, hook.accountId), { id: hook.id });
    expect(await read()).toEqual({ secret: token });
    await bench.db.hookSecret.updateMany({
      where: { hookId: hook.id },
      data: { createdAt: new Date(0) },
    });
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
  });

  test("is stored once, however many arrive concurrently", async () => {
    const hook = await addHook(bench.db, { provider: "asana" });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        greet(hook, { "x-hook-secret": `secret-number-${index}` }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200).length).toBe(1);
    expect(await bench.db.hookSecret.count({ where: { hookId: hook.id } })).toBe(1);
  });

  test.each<[string, (hook: TestHook) => Promise<unknown>]>([
    ["has its secret", (hook) => addSecret(hook, "the real secret")],
    [
      "had one, and lost it",
      async (hook) => {
        await addSecret(hook, "the real secret");
        await bench.db.hookSecret.updateMany({
          where: { hookId: hook.id },
          data: { expiresAt: new Date(0) },
        });
      },
    ],
    [
      "waited too long",
      (hook) =>
        bench.db.hook.update({ where: { id: hook.id }, data: { pendingSince: new Date(0) } }),
    ],
  ])("is not accepted by a hook that %s", async (_name, arrange) => {
    const hook = await addHook(bench.db, { provider: "asana" });
    await arrange(hook);
    const before = await bench.db.hookSecret.findMany({ where: { hookId: hook.id } });
    const response = await greet(hook, asana);
    expect([response.status, response.json.code, response.headers.get("x-hook-secret")]).toEqual([
      401,
      "signature_invalid",
      null,
    ]);
    expect(await bench.db.hookSecret.findMany({ where: { hookId: hook.id } })).toEqual(before);
    const rows = await rowsOf(hook);
    expect(rows).toMatchObject([{ status: "rejected", reason: "secret_not_expected" }]);
    expect(JSON.stringify(rows)).not.toContain(asana["x-hook-secret"]);
  });
});
