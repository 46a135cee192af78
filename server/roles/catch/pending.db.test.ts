import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { createSampleMark, sampleHeader } from "#lib/core/samples/sample-mark.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { replayDelivery } from "#lib/db/deliveries/replay-delivery.ts";
import { countPending, verifyPending } from "#lib/db/deliveries/verify-pending.ts";
import { readHandshakeSecret } from "#lib/db/hooks/handshake-secret.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { deleteHook, getHook, setHookStatus, updateHook } from "#lib/db/hooks/hooks.ts";
import { hookPatchSchema, pendingLimits } from "#lib/schema/hook.ts";
import {
  addAction,
  addHook,
  send,
  sendJson,
  startTestCatch,
  type TestHook,
  testSealer,
} from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

const secret = "whsec_the_secret";
const publicOrigin = "https://hooks.example";
const signingKeys = { find: () => undefined, load: async () => false };
const parts = { sealer: testSealer, signingKeys, publicOrigin };
const verify = (hook: TestHook) => verifyPending(bench.db, hook.accountId, hook.id, parts);

function addPending(input: Record<string, unknown> = {}): Promise<TestHook> {
  return addHook(bench.db, { provider: "stripe", status: "pending", ...input });
}

function event(id: string, type = "charge.succeeded"): string {
  return JSON.stringify({ id, object: "event", type });
}

function deliver(hook: TestHook, body: string, signedWith = secret, port = bench.caught.port) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: signedWith });
  return send(port, hook.path, {
    body,
    headers: { "content-type": "application/json", "stripe-signature": signature },
  });
}

function addSecret(hook: TestHook, signingSecret = secret) {
  const patch = hookPatchSchema.parse({ signingSecret });
  return updateHook(bench.db, hook.accountId, hook.id, patch, testSealer);
}

function rowsOf(hook: TestHook) {
  return bench.db.delivery.findMany({ where: { hookId: hook.id }, orderBy: { id: "asc" } });
}

describe("a hook that awaits its secret", () => {
  test("stores deliveries with a 2xx, without a run or a key", async () => {
    const hook = await addPending();
    expect(hook.status).toBe("pending");
    await addAction(bench.db, hook);
    for (const _ of [1, 2]) {
      const answer = await deliver(hook, event("evt_1"));
      expect([answer.status, answer.json.status]).toEqual([200, "accepted"]);
    }
    const rows = await rowsOf(hook);
    expect(rows).toMatchObject(
      [1, 2].map(() => ({ status: "pending", verificationOutcome: "pending", eventId: "evt_1" })),
    );
    expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(0);
    expect(await bench.db.dedupeKey.count({ where: { hookId: hook.id } })).toBe(0);
    const replayed = replayDelivery(bench.db, hook.accountId, rows[0]?.id ?? "", {});
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
    expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(1);
  });

  test.each<[string, (hook: TestHook) => Promise<unknown>]>([
    ["saved with the hook", (hook) => addSecret(hook)],
    [
      "as a rotation",
      (hook) =>
        rotateHookSecret(
          bench.db,
          hook.accountId,
          hook.id,
          { secret, expirePreviousAfterSeconds: 0 },
          testSealer,
        ),
    ],
  ])("is active with its first secret, %s, for the very next delivery", async (_name, save) => {
    // The second process misses the notification and relies on the check before it stores a
    // delivery.
    const deaf = await startTestCatch(bench.database.url, {
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
    const answer = await deliver(lost, event("evt_1"));
    expect([answer.status, answer.json.code]).toEqual([401, "signature_invalid"]);
  });

  test("waits for a limited time", async () => {
    const hook = await addPending();
    const longAgo = new Date(Date.now() - pendingLimits.days * 86_400_000 - 1_000);
    await bench.db.hook.update({ where: { id: hook.id }, data: { pendingSince: longAgo } });
    const answer = await deliver(hook, event("evt_1"));
    expect([answer.status, answer.json.code]).toEqual([401, "signature_invalid"]);
    expect(answer.json.detail).toContain("no signing secret");
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
      setHookStatus(bench.db, hook.accountId, hook.id, status);
    expect((await setTo("paused")).status).toBe("paused");
    expect((await deliver(hook, event("evt_1"))).status).toBe(200);
    await setTo("disabled");
    expect((await deliver(hook, event("evt_2"))).status).toBe(410);
    expect((await setTo("active")).status).toBe("pending");
    expect(await countPending(bench.db, hook.accountId, hook.id)).toBe(1);
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

describe("a pending delivery", () => {
  test("is verified by its own time, deduplicated, and run once, however often and concurrently it is requested", async () => {
    const hook = await addPending();
    await addAction(bench.db, hook);
    await deliver(hook, event("evt_1"));
    await deliver(hook, event("evt_1"));
    await deliver(hook, event("evt_forged"), "whsec_of_a_stranger");
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
    expect(after.map(({ status, verificationOutcome }) => [status, verificationOutcome])).toEqual([
      ["accepted", "verified"],
      ["duplicate", "verified"],
      ["rejected", "failed"],
      ["accepted", "verified"],
      ["accepted", "verified"],
    ]);
    expect(after[1]?.duplicateOf).toBe(after[0]?.id);
    expect(after[2]?.reason).toBe("signature_mismatch");
    expect(after[4]?.receivedAt).toEqual(received);
    const runs = await bench.db.run.findMany({ where: { hookId: hook.id } });
    expect(runs.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(
      [after[0]?.id, after[3]?.id, after[4]?.id].toSorted(),
    );
    // From here on it is like any other: the provider's retry is a duplicate.
    expect((await deliver(hook, event("evt_2"))).json.status).toBe("duplicate");
  });

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
    expect(await bench.db.run.count({ where: { hookId: hook.id } })).toBe(230);
  });

  test("waits with its runs while the hook is paused", async () => {
    const hook = await addPending();
    await addAction(bench.db, hook);
    await deliver(hook, event("evt_1"));
    await addSecret(hook);
    await setHookStatus(bench.db, hook.accountId, hook.id, "paused");
    expect(await verify(hook)).toMatchObject({ accepted: 1 });
    expect(await bench.db.run.findMany({ where: { hookId: hook.id } })).toMatchObject([
      { state: "queued" },
    ]);
  });

  test("can't be verified by another account, nor for a deleted hook", async () => {
    const hook = await addPending();
    const other = await addPending();
    await deliver(hook, event("evt_1"));
    await addSecret(hook);
    const stolen = verifyPending(bench.db, other.accountId, hook.id, parts);
    await expect(stolen).rejects.toMatchObject({ code: "not_found" });
    await deleteHook(bench.db, hook.accountId, hook.id);
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
  ])(
    "with its credential in %s is verified too: sealed until then, and removed afterwards",
    async (_name, provider, token, toRequest) => {
      const hook = await addHook(bench.db, { provider, status: "pending" });
      for (const sent of [token, "user:wrong-token"]) {
        const [path, headers] = toRequest(hook.path, sent);
        const answer = await send(bench.caught.port, path, {
          body: '{"id":1}',
          headers: { "content-type": "application/json", cookie: "session=1", ...headers },
        });
        expect(answer.status).toBe(200);
      }
      const stored = JSON.stringify(await rowsOf(hook));
      expect(stored).toContain("[redacted] sealed:");
      for (const text of [token, Buffer.from(token).toString("base64"), "session=1"])
        expect(stored).not.toContain(text);
      for (const { id } of await rowsOf(hook)) {
        const shown = await getDelivery(bench.db, hook.accountId, id);
        expect(shown.headersJson + shown.query).not.toContain("sealed:");
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

describe("a secret from a handshake", () => {
  const asana = { "x-hook-secret": "b537207f20cbfa02357cf448134da559" };
  const greet = (hook: TestHook, headers: Record<string, string>, body = "{}") =>
    send(bench.caught.port, hook.path, {
      body,
      headers: { "content-type": "application/json", ...headers },
    });

  test("is stored by a pending hook, returned, and sealed, and the hook becomes active", async () => {
    const hook = await addHook(bench.db, { provider: "asana" });
    expect(hook.status).toBe("pending");
    const answer = await greet(hook, asana);
    expect([answer.status, answer.text, answer.headers.get("x-hook-secret")]).toEqual([
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
    expect(await readHandshakeSecret(bench.db, hook.accountId, hook.id, testSealer)).toBe(
      asana["x-hook-secret"],
    );
  });

  test("of Notion comes in the body, and the owner can read it for a day", async () => {
    const hook = await addHook(bench.db, { provider: "notion" });
    const token = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";
    const answer = await greet(hook, {}, JSON.stringify({ verification_token: token }));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    const [row] = await rowsOf(hook);
    expect(Buffer.from(row?.body ?? []).toString()).toBe('{"verification_token":"[redacted]"}');
    const read = () => readHandshakeSecret(bench.db, hook.accountId, hook.id, testSealer);
    expect(await read()).toBe(token);
    await bench.db.hookSecret.updateMany({
      where: { hookId: hook.id },
      data: { createdAt: new Date(0) },
    });
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
  });

  test("is stored once, however many arrive concurrently", async () => {
    const hook = await addHook(bench.db, { provider: "asana" });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        greet(hook, { "x-hook-secret": `secret-number-${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
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
    const answer = await greet(hook, asana);
    expect([answer.status, answer.json.code, answer.headers.get("x-hook-secret")]).toEqual([
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
