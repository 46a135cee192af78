import { beforeAll, describe, expect, test } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { sampleRequest, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { listen } from "#lib/db/postgres/listen.ts";
import { runsDueChannel } from "#lib/db/queue/notify.ts";
import { countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send, sendJson } from "#server/testing/catch-harness.ts";
import { plain } from "#server/testing/handshake-cases.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

let hook: TestHook;
beforeAll(async () => {
  hook = await addHook(bench.db);
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("what is stored", () => {
  test("a delivery gets 200 accepted with its id, and its row and run exist", async () => {
    await addAction(bench.db, hook);
    const response = await sendJson(bench.caught.port, `${hook.path}/orders/eu?x=1&y=%2F`, {
      id: "c1",
      type: "t.made",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.json).toEqual({ status: "accepted", deliveryId: expect.stringMatching(uuid) });
    const row = await bench.db.delivery.findUniqueOrThrow({
      where: { id: response.json.deliveryId ?? "" },
    });
    expect(row).toMatchObject({
      hookId: hook.id,
      accountId: hook.accountId,
      status: "accepted",
      reason: null,
      method: "POST",
      path: "/orders/eu",
      query: "x=1&y=%2F",
      contentType: "application/json",
      eventId: "c1",
      eventType: "t.made",
      verificationOutcome: "not_configured",
      sourceIp: "127.0.0.1",
    });
    expect(row.bodySize).toBe(row.body.byteLength);
    const runs = await bench.db.queuedRun.findMany({ where: { deliveryId: row.id } });
    expect(runs).toMatchObject([{ reasonCode: null, hookId: hook.id, accountId: hook.accountId }]);
  });

  test("a new event wakes the workers at once, a duplicate or rejected one doesn't", async () => {
    let woken = 0;
    const heard = Promise.withResolvers<void>();
    const listener = listen({
      url: bench.url,
      applicationName: "test",
      channels: [runsDueChannel],
      onNotification: () => {
        woken += 1;
      },
      onConnected: () => heard.resolve(),
    });
    await heard.promise;
    await sendJson(bench.caught.port, hook.path, { id: "wakes" });
    await expect.poll(() => woken).toBe(1);
    await sendJson(bench.caught.port, hook.path, { id: "wakes" });
    await sendJson(bench.caught.port, hook.path, "{");
    // The next notification arrives after anything those had sent.
    await sendJson(bench.caught.port, hook.path, { id: "wakes again" });
    await expect.poll(() => woken).toBeGreaterThan(1);
    expect(woken).toBe(2);
    await listener.close();
  });

  test("a repeated event gets 200 duplicate with the first delivery's id and has no run", async () => {
    const first = await sendJson(bench.caught.port, hook.path, { id: "dup" });
    const second = await sendJson(bench.caught.port, hook.path, { id: "dup", more: 1 });
    expect(second.status).toBe(200);
    expect(second.json).toEqual({
      status: "duplicate",
      deliveryId: expect.stringMatching(uuid),
      originalDeliveryId: first.json.deliveryId,
    });
    expect(second.json.deliveryId).not.toBe(first.json.deliveryId);
    expect(await countRuns(bench.db, { deliveryId: second.json.deliveryId ?? "" })).toBe(0);
  });

  test("a paused hook still accepts deliveries", async () => {
    const paused = await addHook(bench.db);
    await setHookStatus(testContext(bench.db, paused.accountId), {
      id: paused.id,
      status: "paused",
    });
    expect((await sendJson(bench.caught.port, paused.path, {})).json.status).toBe("accepted");
  });

  test("a hook's custom success response is sent, sandboxed, for first and repeated events alike", async () => {
    const own = await addHook(bench.db, { response: { status: 202, body: "thänks" } });
    for (const _ of [1, 2]) {
      const response = await sendJson(bench.caught.port, own.path, { id: "x" });
      expect([response.status, response.text]).toEqual([202, "thänks"]);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toBe("sandbox");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const empty = await addHook(bench.db, { response: { status: 204 } });
    const response = await sendJson(bench.caught.port, empty.path, {});
    expect([response.status, response.text, response.headers.get("content-type")]).toEqual([
      204,
      "",
      null,
    ]);
  });

  test.each([
    ["a trailing slash", (path: string) => `${path}/`],
    ["a query string", (path: string) => `${path}?a=b&a=c`],
    ["an empty query", (path: string) => `${path}?`],
    ["upper-case percent-escapes", (path: string) => `${path}/%C3%A9%2F`],
    ["lower-case percent-escapes", (path: string) => `${path}/%c3%a9%2f`],
    ["an escaped letter of the account", (path: string) => path.replace("/catch/a", "/catch/%61")],
    ["a semicolon behind the key", (path: string) => `${path}/a;b=c`],
  ])("%s causes no redirect and reaches no other hook", async (_name, change) => {
    const response = await sendJson(bench.caught.port, change(hook.path), {});
    expect([response.status, response.json.status]).toEqual([200, "accepted"]);
  });
});

describe("the response that a provider expects once its delivery is stored", () => {
  const responses: readonly [string, [number, string, string | null]][] = [
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

  test.each(responses)("%s", async (provider, expected) => {
    const scheme = findProvider(provider)?.scheme ?? { kind: "bearer" };
    const { signing, pasted } = sampleSecret(scheme, provider);
    const responseOf = async (input: object) => {
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
    const response = await responseOf({});
    expect([response.status, response.text, response.headers.get("content-type")]).toEqual(
      expected,
    );
    const own = await responseOf({ response: { status: 202, body: "ours" } });
    expect([own.status, own.text]).toEqual([202, "ours"]);
  });
});
