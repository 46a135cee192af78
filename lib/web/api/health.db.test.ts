import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { isInTime } from "#lib/base/testing/in-time.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { openTestApi, type TestApi } from "#lib/web/testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const open = (url: string): Database =>
  createDatabase({ url, poolSize: 2, applicationName: "health test" });

it("is ok without a token once deliveries can be stored, and says nothing else", async () => {
  const response = await api.call("GET", "/api/health");
  expect([response.status, response.text]).toEqual([200, '{"status":"ok"}']);
});

it("accepts no other method, and says so like the API", async () => {
  const response = await api.call("POST", "/api/health");
  expect([response.status, response.body?.code]).toEqual([405, "method_not_allowed"]);
  expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  expect((await api.call("HEAD", "/api/health")).status).toBe(200);
});

it("a database that accepts connections and never responds is 503 within 3 s, however often it is requested", {
  tags: "variant",
}, async () => {
  const server: Server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const db = open(`postgresql://postgres@127.0.0.1:${port}/none`);
  const health = new Health(db);
  const checking = Promise.all(Array.from({ length: 50 }, () => health.check()));
  expect(await isInTime(checking, 3_000, () => api.call("GET", "/api/health"))).toBe(true);
  const checks = await checking;
  expect(checks.every((check) => !check.ok && check.failing.startsWith("database"))).toBe(true);
  server.close();
  await db.$disconnect();
});

it("a database that is missing, has no tables, or is read-only isn't ok", async () => {
  const away = open("postgresql://postgres@127.0.0.1:1/none");
  expect(await new Health(away).check()).toMatchObject({ ok: false });
  // Not template1 itself: nothing can be cloned from a database with open connections.
  const { url, drop } = await createTestDatabase({ empty: true });
  const empty = open(url);
  expect(await new Health(empty).check()).toEqual({
    ok: false,
    failing: "database: its tables are missing",
  });
  await empty.$disconnect();
  await drop();
  const readOnlyUrl = new URL(api.url);
  readOnlyUrl.searchParams.set("options", "-c default_transaction_read_only=on");
  const readOnly = open(readOnlyUrl.toString());
  expect(await new Health(readOnly).check()).toEqual({
    ok: false,
    failing: "database: it is read-only",
  });
  await readOnly.$disconnect();
});

it("a nearly full disk is reported, although the database still responds", async () => {
  const db = open(api.url);
  const check = await new Health(db, { isLow: () => true }).check();
  expect(check).toEqual({ ok: false, failing: "disk: it is nearly full" });
  await db.$disconnect();
});

it("a check isn't kept for longer because the clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const db = open(api.url);
  const health = new Health(db);
  expect(await health.check()).toEqual({ ok: true });
  await db.$executeRaw`alter table deliveries rename to deliveries_away`;
  const elapsed = performance.now();
  vi.advanceTimersByTime(2_000);
  expect(performance.now() - elapsed).toBe(2_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await health.check()).toMatchObject({ ok: false });
  await db.$executeRaw`alter table deliveries_away rename to deliveries`;
  await db.$disconnect();
});
