/** The web process while the dashboard is being built, as it is really started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { findFreePort } from "#server/system/free-port.ts";

const { db, url } = withDatabase();
const folder = mkdtempSync(join(tmpdir(), "catchment-pending-"));
const pending = join(folder, "dashboard.json");
let web: ChildProcess;
let origin: string;
let token: string;

const say = (step: string) =>
  writeFileSync(pending, JSON.stringify({ step, since: Date.now() - 12_000 }));

beforeAll(async () => {
  const { accountId } = await addHook(db);
  const made = { name: "t", userId: null, scopes: apiScopes, expiresAt: null };
  ({ token } = await createApiToken(db, accountId, made));
  say("Compiling");
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  web = spawn(process.execPath, ["server/roles/web.ts"], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATABASE_URL: url,
      CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
      CATCHMENT_PENDING_DASHBOARD: pending,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(web, "message");
});
afterAll(() => {
  web.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

const api = (method: string, path: string, options: RequestInit = {}) =>
  fetch(`${origin}/api/v1${path}`, {
    ...options,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...options.headers,
    },
  });

test("the API works: changes, reads, streams, HEAD, errors, and health", async () => {
  const made = await api("POST", "/hooks", { body: JSON.stringify({ name: "Shop" }) });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  expect(await (await api("GET", `/hooks/${id}`)).json()).toMatchObject({ name: "Shop" });
  const rows = await api("GET", "/deliveries/export", { headers: { accept: "text/csv" } });
  expect([rows.status, (await rows.text()).startsWith("id,")]).toEqual([200, true]);
  const head = await api("HEAD", "/hooks");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await api("GET", "/nothing")).status).toBe(404);
  expect((await api("GET", "/hooks", { headers: { authorization: "Bearer no" } })).status).toBe(
    401,
  );
  expect((await api("PUT", `/hooks/${id}`)).status).toBe(405);
  expect(await (await fetch(`${origin}/api/health`)).json()).toEqual({ status: "ok" });
});

test("pages say what is being done, and what works already", async () => {
  const open = async () => {
    const response = await fetch(`${origin}/hooks`, { headers: { accept: "text/html" } });
    return [response.status, await response.text()];
  };
  expect(await open()).toEqual([
    503,
    expect.stringMatching(/being built[\s\S]*Compiling, \d+ s so far/),
  ]);
  say("failed");
  expect(await open()).toEqual([503, expect.stringContaining("could not be built")]);
  const script = await fetch(`${origin}/mcp`, { method: "POST", body: "{}" });
  expect([script.status, script.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await script.json()).toMatchObject({ detail: expect.stringContaining("API calls") });
});
