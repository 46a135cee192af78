import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkProxy, evaluateClock } from "./check-server.ts";
import { runDoctor } from "./run-doctor.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type Response = { readonly status?: number; readonly body?: unknown; readonly date?: Date };

/** A server that responds by method and path, and with 404 to everything else. */
async function serve(responses: Readonly<Record<string, Response>>): Promise<string> {
  const server = createServer(({ method, url }, response) => {
    const known = responses[`${method} ${url?.split("?")[0]}`];
    const { status = 200, body = "", date } = known ?? { status: 404, body: problem("not_found") };
    if (date !== undefined) response.setHeader("date", date.toUTCString());
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const problem = (code: string, detail = "Not found.") => ({ code, detail });
const healthy = { "GET /api/health": { body: { status: "ok" } } };
const page = { body: { data: [], nextCursor: null } };
const allowed = {
  ...healthy,
  "GET /api/v1/accounts": page,
  "GET /api/v1/hooks": page,
  "GET /api/v1/deliveries": page,
};

async function diagnose(env: Readonly<Record<string, string>>, values = {}) {
  const lines: string[] = [];
  const code = await runDoctor({
    operands: [],
    values: { output: "compact", ...values },
    env: { CATCHMENT_CONFIG_DIR: "/nonexistent", ...env },
    output: { result: (text) => lines.push(text), note: () => {} },
    isInteractive: false,
    signal: new AbortController().signal,
    commands: [],
  });
  return { code, found: lines.map((line) => line.split("\t")) };
}

const signedIn = (url: string) => ({ CATCHMENT_URL: url, CATCHMENT_TOKEN: "cmt_1" });

test("all is well", async () => {
  const { code, found } = await diagnose(signedIn(await serve(allowed)));
  expect(code).toBe(0);
  // The command line of this server is another one than the test.
  expect(found.map(([level, check]) => `${level} ${check}`)).toEqual([
    "ok Proxy",
    "ok Server",
    "ok Clock",
    "warning Version",
    "ok Token",
    "ok Rights",
  ]);
});

test("each fault is named with what to do", async () => {
  const away = await serve(healthy);
  servers.pop()?.close();
  const other = await serve({ "GET /api/health": { body: "<html>Welcome to nginx!" } });
  const revoked = await serve({
    ...healthy,
    "GET /api/v1/accounts": { status: 401, body: problem("unauthorized", "Unknown token.") },
  });
  const missing = problem("forbidden", "The token lacks the scope hooks:write.");
  const limited = await serve({
    ...allowed,
    "PATCH /api/v1/actions/00000000-0000-7000-8000-000000000000": { status: 403, body: missing },
  });
  const down = await serve({
    ...allowed,
    "GET /api/health": { status: 503, body: problem("unavailable", "The database is away.") },
  });
  const wrong = async (env: Readonly<Record<string, string>>, values = {}) => {
    const { found } = await diagnose(env, values);
    const told = found.filter(([level, check]) => level !== "ok" && check !== "Version");
    for (const [, , , change] of told) expect(change).toMatch(/\S/);
    return told.map((parts) => parts.slice(0, 3).join(" "));
  };
  expect(await wrong({})).toEqual(["error Sign-in You aren't signed in."]);
  expect(await wrong({ CATCHMENT_TOKEN: "cmt_1" })).toEqual([
    "error Sign-in Set CATCHMENT_URL as well, or neither to use your sign-in.",
  ]);
  expect(await wrong(signedIn(away))).toEqual([
    "error Server No connection: nothing listens there. Is Catchment running?",
  ]);
  expect(await wrong(signedIn(other))).toEqual([
    `error Server ${other} isn't Catchment, or something in front of it responds: HTTP 200.`,
  ]);
  expect(await wrong(signedIn(revoked))).toEqual([
    "error Token The token was revoked or has expired.",
  ]);
  expect(await wrong(signedIn(limited))).toEqual([
    "warning Rights trigger, actions enable: The token lacks the scope hooks:write.",
  ]);
  expect(await wrong(signedIn(down))).toEqual([
    "warning Server It can't store deliveries right now: The database is away.",
  ]);
  const [free, taken] = [away, other].map((url) => new URL(url).port);
  const well = signedIn(await serve(allowed));
  expect(await wrong(well, { to: free })).toEqual([
    `error Target Nothing listens at localhost:${free}.`,
  ]);
  expect(await wrong(well, { to: taken })).toEqual([]);
});

test("a proxy is named without its password, and needs a Node that can use it", () => {
  const env = { HTTPS_PROXY: "http://me:secret@proxy.example:3128", NO_PROXY: "localhost" };
  expect(checkProxy(env, "24.1.0")).toMatchObject([
    {
      level: "ok",
      message: "HTTPS_PROXY: connections go through proxy.example:3128, but for localhost.",
    },
  ]);
  expect(checkProxy(env, "22.18.0")).toMatchObject([{ level: "error" }]);
  expect(checkProxy(env, "22.19.0")).toMatchObject([{ level: "ok" }]);
  expect(checkProxy({ http_proxy: "proxy" }, "24.1.0")).toMatchObject([{ level: "error" }]);
});

test("a clock that is a minute off is named, whichever way", () => {
  const at = Date.parse("2026-11-21T08:00:00Z");
  const date = new Date(at).toUTCString();
  expect(evaluateClock(date, at, at + 900)).toMatchObject({ level: "ok" });
  expect(evaluateClock(date, at + 50_000, at + 50_000)).toMatchObject({ level: "ok" });
  expect(evaluateClock(date, at + 300_000, at + 300_100).message).toContain("5 min ahead of");
  expect(evaluateClock(date, at - 300_000, at - 299_000).message).toContain("5 min behind");
});
