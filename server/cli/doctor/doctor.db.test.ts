import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "#lib/base/command-line/finding.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { testCertificate } from "#lib/net/testing/test-certificate.ts";
import { createDoctorHandler } from "#server/http/doctor-handler.ts";
import { createHealthHandler } from "#server/http/health-handler.ts";
import { runInProcess } from "../testing/run-in-process.ts";

const secretKey = "a secret for tests that is long enough";
const handler = createDoctorHandler(
  { secretKey, trustedProxies: [] },
  createHealthHandler(
    async () => ({ ok: true }),
    (_request, response) => response.writeHead(404).end(),
  ),
);
const listener = createServer(handler);
/** A proxy in front, as a company has one: it ends TLS and says who the client is. */
const proxy = createTlsServer(testCertificate, (incoming, outgoing) => {
  const headers = { ...incoming.headers, "x-forwarded-for": "203.0.113.7" };
  const passed = request({ port: portOf(listener), path: incoming.url, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  passed.once("error", () => outgoing.destroy());
  incoming.pipe(passed);
});

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await Promise.all([listenOn(listener), listenOn(proxy)]);
});
afterAll(async () => {
  for (const server of [listener, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  await database?.drop();
});

async function listenOn(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

type Env = Readonly<Record<string, string>>;

function runDoctor(env: Env, ...args: string[]) {
  const known = { DATABASE_URL: database.url, CATCHMENT_SECRET_KEY: secretKey };
  return runInProcess({ ...known, ...env }, "doctor", ...args);
}

async function findWith(env: Env, ...args: string[]) {
  const { status, stdout } = await runDoctor(env, "--json", ...args);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const by = (check: string) =>
    findings.filter((one) => one.check === check).map(({ level, message }) => [level, message]);
  return { status, by };
}

test("a healthy installation on its own port: one line for each check, and exit code 0", async () => {
  const url = `http://localhost:${portOf(listener)}`;
  const { status, stdout, stderr } = await runDoctor({ CATCHMENT_PUBLIC_URL: url });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^The server in \S+\n/);
  expect(stdout).toContain(`✓ Public URL     ${url} reaches this installation`);
  expect(stdout).toContain("✓ Schema         The schema is the one of this version.");
  expect(stdout).toContain("✓ Sessions       Each connection has a session of its own.");
  expect(stdout).toContain("✓ Clock          This machine's clock");
  expect(stdout).toContain("✓ Proxies        No proxy is in front.");
  expect(stdout).toMatch(/✓ Connections {4}\d+ of \d+ connections are in use\./);
  expect(stdout).not.toContain("✗");
});

test("behind a proxy: its certificate, and that it isn't trusted", async () => {
  const url = `https://127.0.0.1:${portOf(proxy)}`;
  const { status, by } = await findWith({ CATCHMENT_PUBLIC_URL: url });
  expect(status).toBe(1);
  expect(by("Public URL")[0]).toEqual(["ok", expect.stringContaining("reaches this installation")]);
  expect(by("TLS")).toEqual([["error", expect.stringMatching(/won't trust the certificate/)]]);
  expect(by("Proxies")).toEqual([
    ["error", "The proxy at 127.0.0.1 isn't trusted, so all clients count as one."],
  ]);
});

test("another installation at the public URL, another key, and a closed port are found", async () => {
  const CATCHMENT_PUBLIC_URL = `http://localhost:${portOf(listener)}`;
  const other = { CATCHMENT_SECRET_KEY: "another secret that is long enough for it" };
  const { by } = await findWith({ CATCHMENT_PUBLIC_URL, ...other });
  expect(by("Public URL")).toEqual([["error", expect.stringContaining("Something else responds")]]);
  const closed = await findWith({ CATCHMENT_PUBLIC_URL: "http://localhost:1" });
  expect(closed.by("Public URL")).toEqual([["error", expect.stringContaining("ECONNREFUSED")]]);
});

test("egress is tried as an action would, with the address guard", async () => {
  const target = `http://127.0.0.1:${portOf(listener)}/x`;
  const blocked = await findWith({}, "--reach", target);
  expect(blocked.by("Egress")[1]).toEqual(["error", expect.stringMatching(/blocked|not allowed/)]);
  const allowed = await findWith(
    { CATCHMENT_EGRESS_ALLOW: `127.0.0.1:${portOf(listener)}` },
    "--reach",
    target,
  );
  expect(allowed.by("Egress")[1]).toEqual(["ok", `Actions reach ${target}: it responds with 404.`]);
});

test("wrong settings and an unreachable database are findings, not stacks", async () => {
  const wrong = await findWith({ PORT: "http", CATCHMENT_PUBLC_URL: "x", SMTP_URL: "" });
  expect(wrong.status).toBe(1);
  expect(wrong.by("Configuration")).toEqual([
    ["error", "PORT must be a whole number from 1 to 65535."],
    ["warning", "CATCHMENT_PUBLC_URL is not a setting of this version and is ignored."],
  ]);
  const gone = await findWith({
    DATABASE_URL: "postgresql://a:b@127.0.0.1:1/c",
    SMTP_URL: "smtp://127.0.0.1:1",
    CATCHMENT_MAIL_FROM: "catchment@example.com",
  });
  expect(gone.by("Database")).toEqual([["error", expect.stringContaining("ECONNREFUSED")]]);
  expect(gone.by("Email")).toEqual([["error", expect.stringContaining("ECONNREFUSED")]]);
});
