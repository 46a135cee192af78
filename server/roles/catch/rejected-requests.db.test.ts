import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { countRateLimited } from "#lib/db/deliveries/rejected-counts.ts";

import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { setHookStatus } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";

import {
  send,
  sendJson,
  startTestCatch,
  type TestCatchOptions,
  type TestResponse,
} from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch({ maxBodyBytes: 1000 });
let hook: TestHook;
beforeAll(async () => {
  hook = await addHook(bench.db);
});

/** No minute ends in it, and no limit has room again, however long the test takes. */
async function startTimelessCatch(options: TestCatchOptions = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return await startTestCatch(bench.url, options);
}

function expectProblem(response: TestResponse, status: number, code: string): void {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.json).toEqual({
    type: `/docs/errors#${code}`,
    title: expect.any(String),
    status,
    code,
    detail: expect.any(String),
  });
}

describe("what is rejected", () => {
  test(
    "unknown account, unknown hook, wrong key, deleted hook " +
      "and impossible paths get the same response",
    async () => {
      const deleted = await addHook(bench.db);
      await deleteHook(testContext(bench.db, deleted.accountId), { id: deleted.id });
      const other = await addHook(bench.db);
      const paths = [
        `/catch/nobody/${hook.key}`,
        `/catch/${hook.accountSlug}/wrong`,
        `/catch/${hook.accountSlug}/${hook.key.slice(0, -1)}`,
        `/catch/${hook.accountSlug}/${hook.key.toUpperCase()}`,
        `/catch/${other.accountSlug}/${hook.key}`,
        deleted.path,
        "/catch",
        "/catch/",
        `/catch/${hook.accountSlug}`,
        `/catch/${hook.accountSlug}/`,
        `/catch//${hook.key}`,
        `/catch/${hook.accountSlug}%2F${hook.key}`,
        `/catch/${hook.accountSlug}/%00`,
        `${hook.path}/%2e%2e/x`,
      ];
      const responses = await Promise.all(
        paths.map((path) => sendJson(bench.caught.port, path, {})),
      );
      for (const response of responses) expectProblem(response, 404, "hook_not_found");
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    },
  );

  test("a method that the hook doesn't accept is 405 with Allow and recorded, and 404 on an unknown hook", async () => {
    for (const method of [
      "GET",
      "HEAD",
      "PUT",
      "DELETE",
      "PATCH",
      "OPTIONS",
      "PROPFIND",
      "REPORT",
    ]) {
      const response = await send(bench.caught.port, hook.path, { method });
      expect([method, response.status, response.headers.get("allow")]).toEqual([
        method,
        405,
        "POST",
      ]);
      if (method !== "HEAD") expectProblem(response, 405, "method_not_allowed");
      expect((await send(bench.caught.port, "/catch/nobody/x", { method })).status).toBe(404);
    }
    const rows = await bench.db.delivery.findMany({
      where: { hookId: hook.id, reason: "method_not_allowed" },
    });
    expect(rows.map(({ method }) => method).sort()).toContain("PROPFIND");
    expect(rows.every(({ status }) => status === "rejected")).toBe(true);
    const many = await addHook(bench.db, { methods: ["GET", "POST", "DELETE"] });
    expect((await send(bench.caught.port, `${many.path}?a=1`, { method: "GET" })).json.status).toBe(
      "accepted",
    );
    expect((await send(bench.caught.port, many.path, { method: "PUT" })).headers.get("allow")).toBe(
      "GET, POST, DELETE",
    );
  });

  test("a disabled hook is 410 and works again as soon as it is enabled", async () => {
    const disabled = await addHook(bench.db);
    await sendJson(bench.caught.port, disabled.path, {});
    await setHookStatus(testContext(bench.db, disabled.accountId), {
      id: disabled.id,
      status: "disabled",
    });
    await expect
      .poll(async () => (await sendJson(bench.caught.port, disabled.path, {})).status)
      .toBe(410);
    expectProblem(await sendJson(bench.caught.port, disabled.path, {}), 410, "hook_disabled");
    await setHookStatus(testContext(bench.db, disabled.accountId), {
      id: disabled.id,
      status: "active",
    });
    expect((await sendJson(bench.caught.port, disabled.path, {})).status).toBe(200);
  });

  test(
    "a hook that was just enabled, or accepts another method now, " +
      "rejects no request even if notifications are lost",
    async () => {
      const deaf = await startTestCatch(bench.url, {
        databaseUrl: "postgresql://127.0.0.1:1/nobody",
      });
      const changed = await addHook(bench.db);
      await setHookStatus(testContext(bench.db, changed.accountId), {
        id: changed.id,
        status: "disabled",
      });
      expect((await sendJson(deaf.port, changed.path, {})).status).toBe(410);
      await setHookStatus(testContext(bench.db, changed.accountId), {
        id: changed.id,
        status: "active",
      });
      expect((await sendJson(deaf.port, changed.path, {})).status).toBe(200);
      expect((await send(deaf.port, changed.path, { method: "PUT" })).status).toBe(405);
      await bench.db.hook.update({ where: { id: changed.id }, data: { methods: ["PUT"] } });
      expect((await send(deaf.port, changed.path, { method: "PUT" })).status).toBe(200);
      await deaf.stop();
    },
  );

  test("invalid JSON in a JSON body is 400, recorded byte for byte, and uses up no event id", async () => {
    const strict = await addHook(bench.db);
    expectProblem(await sendJson(bench.caught.port, strict.path, '{"id":"x"'), 400, "invalid_json");
    const [row] = await bench.db.delivery.findMany({ where: { hookId: strict.id } });
    expect(row).toMatchObject({ status: "rejected", reason: "invalid_json", eventId: null });
    expect(Buffer.from(row?.body ?? []).toString()).toBe('{"id":"x"');
    expect((await sendJson(bench.caught.port, strict.path, { id: "x" })).json.status).toBe(
      "accepted",
    );
  });

  test("a body over the limit is 413, announced or streamed, and never stored in part", async () => {
    const small = await addHook(bench.db);
    expect((await sendJson(bench.caught.port, small.path, `"${"x".repeat(998)}"`)).status).toBe(
      200,
    );
    expectProblem(
      await sendJson(bench.caught.port, small.path, `"${"x".repeat(999)}"`),
      413,
      "body_too_large",
    );
    const streamed = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 11; part += 1) controller.enqueue(Buffer.alloc(100, 120));
        controller.close();
      },
    });
    const init = { body: streamed, duplex: "half" } as RequestInit;
    expectProblem(await send(bench.caught.port, small.path, init), 413, "body_too_large");
    const rows = await bench.db.delivery.findMany({
      where: { hookId: small.id, status: "rejected" },
    });
    expect(rows.map(({ reason, bodySize }) => [reason, bodySize])).toEqual([
      ["body_too_large", 0],
      ["body_too_large", 0],
    ]);
  });

  test("60 rejected requests per hook and minute are recorded, and the rest are counted", async () => {
    const limited = await startTimelessCatch();
    const flooded = await addHook(bench.db);
    for (let sent = 0; sent < 75; sent += 1) {
      expect((await sendJson(limited.port, flooded.path, "{")).status).toBe(400);
    }
    const readBoth = async () => {
      const recorded = await bench.db.delivery.count({ where: { hookId: flooded.id } });
      const counts = await bench.db.rejectedCount.findMany({ where: { hookId: flooded.id } });
      return { recorded, counted: counts.reduce((sum, { count }) => sum + Number(count), 0) };
    };
    await expect.poll(readBoth).toEqual({ recorded: 60, counted: 15 });
    await limited.stop();
  });

  test(
    "of a rejected body only the start is stored, with its " +
      "size, and nothing once the day's budget is used",
    async () => {
      const limits = { rejectedBodyBytes: 100, rejectedBytesPerDay: 1_500 };
      const limited = await startTimelessCatch(limits);
      const signed = await addHook(bench.db, { provider: "github", signingSecret: "a secret" });
      const body = `{"a":"${"x".repeat(500)}"}`;
      for (let sent = 0; sent < 8; sent += 1)
        await send(limited.port, signed.path, { method: "POST", body });
      await limited.stop();
      const stored = await readDeliveries(bench.db, signed);
      const sizes = stored.map((delivery) => [delivery.body.byteLength, delivery.bodySize]);
      expect(sizes.slice(0, 3)).toEqual([
        [100, 508],
        [100, 508],
        [0, 508],
      ]);
      expect(Buffer.from(stored[0]?.body ?? []).toString()).toBe(body.slice(0, 100));
      const counted = await bench.db.rejectedCount.findMany({ where: { hookId: signed.id } });
      expect(stored.length + counted.reduce((sum, { count }) => sum + Number(count), 0)).toBe(8);
      expect(counted.length).toBeGreaterThan(0);
    },
  );

  test(
    "a hook's rate limit gives 429 with Retry-After, counted " +
      "and not stored, and doesn't affect other hooks",
    async () => {
      const limited = await startTimelessCatch({ hookRatePerSecond: 1 });
      const [a, b, own] = [
        await addHook(bench.db),
        await addHook(bench.db),
        await addHook(bench.db),
      ];
      await bench.db.hook.update({ where: { id: own.id }, data: { ratePerSecond: 100 } });
      const statuses = [];
      for (let sent = 0; sent < 5; sent += 1)
        statuses.push(await sendJson(limited.port, a.path, {}));
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429]);
      const rejected = statuses.at(-1) as TestResponse;
      expectProblem(rejected, 429, "rate_limited");
      expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await sendJson(limited.port, b.path, {})).status).toBe(200);
      for (let sent = 0; sent < 5; sent += 1)
        expect((await sendJson(limited.port, own.path, {})).status).toBe(200);
      await limited.stop();
      expect(await countRateLimited(bench.db, a.accountId, a.id)).toBe(3);
      expect(await bench.db.delivery.count({ where: { hookId: a.id } })).toBe(2);
    },
  );

  test("guessing catch URLs is throttled by address, while hooks keep working", async () => {
    const guessed = await startTimelessCatch();
    const statuses = await Promise.all(
      Array.from(
        { length: 300 },
        async (_, index) => (await sendJson(guessed.port, `/catch/x/${index}`, {})).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect((await sendJson(guessed.port, hook.path, {})).status).toBe(200);
    await guessed.stop();
  });

  test("all addresses of one IPv6 subscriber are throttled together, and others aren't", async () => {
    const proxies = parseCidrList("127.0.0.1");
    const trustedProxies = proxies.ok ? proxies.cidrs : [];
    const guessed = await startTimelessCatch({ trustedProxies });
    const guess = async (address: string) =>
      (
        await send(guessed.port, "/catch/x/guess", {
          method: "POST",
          headers: { "x-forwarded-for": address },
        })
      ).status;
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, index) => guess(`2001:db8::${index.toString(16)}`)),
    );
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect(await guess("2001:db8:0:1::1")).toBe(404);
    await guessed.stop();
  });
});
