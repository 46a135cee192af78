import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";

// On one server, which the last test stops.
test.describe.configure({ mode: "serial" });

const access = makeAccess();
const folder = makeScratchFolder("availability");
let server: ServerUnderTest;

test.beforeAll(async () => {
  server = await startServer({ folder }, access);
});
test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const readLog = () => readFileSync(server.logFile, "utf8").split("\n");
const readEvents = () =>
  readLog()
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { readonly event: string });

async function webPid(): Promise<number | undefined> {
  return (await server.tree()).find(({ role }) => role === "web")?.pid;
}

/** Every file of the build, and every path under `/_next` that Next's server handles itself. */
function listNextPaths(): readonly string[] {
  const files = readdirSync(".next/static", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).replace(/^\.next/, "/_next"));
  const build = readFileSync(".next/BUILD_ID", "utf8").trim();
  const icon = "?url=%2Ficon.svg&w=64&q=75";
  return [
    ...files,
    ...["image", "image/", "%69mage", "static/../image", "IMAGE"].map(
      (name) => `/_next/${name}${icon}`,
    ),
    `/_next/image${icon.replace("%2Ficon", "%2Fno")}`,
    "/_next/image?url=http%3A%2F%2F127.0.0.1%2F&w=64&q=75",
    `/_next/data/${build}/sign-in.json`,
    `/_next/data/${build}/hooks/x.json?id=x`,
    `/_next/static/${build}/none.js`,
    "/_next/static/chunks/%2e%2e/%2e%2e/server/app/icon.svg",
    "/_next/webpack-hmr",
    "/_next/postponed/resume/sign-in",
    "/_next/",
    "/icon.svg",
    "/_not-found",
    "/_global-error",
  ];
}

test("started by root, no path of Next ends the web process", async () => {
  test.skip(process.getuid?.() !== 0, "needs root");
  const before = await webPid();
  expect(before).toBeDefined();
  for (const path of listNextPaths()) {
    const { status } = await fetch(`${server.origin}${path}`, { redirect: "manual" });
    // The proxy's response if the web process is away.
    expect([path, status]).not.toEqual([path, 503]);
  }
  const image = `${server.origin}/_next/image?url=%2Ficon.svg&w=64&q=75`;
  expect((await fetch(image)).status).toBe(404);
  expect((await fetch(`${server.origin}/sign-in`)).status).toBe(200);
  expect(await webPid()).toBe(before);
  const events = readEvents().map(({ event }) => event);
  for (const fault of ["process.crashed", "process.exited", "process.rejection"])
    expect(events).not.toContain(fault);
});

test("what the web process prints is JSON, and a change from another site never reaches it", async () => {
  const post = async (origin: string) => {
    const headers = { "next-action": "4".repeat(42), origin };
    const request = { method: "POST", headers, body: "[]" };
    return (await fetch(`${server.origin}/sign-in`, request)).status;
  };
  const foreign = Array.from({ length: 20 }, () => post("https://evil.example"));
  expect(new Set(await Promise.all(foreign))).toEqual(new Set([403]));
  // Next prints that this action is unknown.
  expect(await post(server.origin)).toBeGreaterThanOrEqual(400);
  await expect.poll(() => readEvents().some(({ event }) => event === "process.printed")).toBe(true);
  const lines = readLog();
  const logged = lines.slice(lines.findIndex((line) => line.includes("server.ready")));
  // The banner ends after it, on the same file in this test.
  const others = logged.filter((line) => line !== "" && !/^( {2}\S|\{)/.test(line));
  expect(others).toEqual([]);
  expect(logged.join("\n")).not.toContain("evil");
});

test("300 slow bodies leave the dashboard, the API, and the health check to everyone else", async () => {
  const { hostname, port } = new URL(server.origin);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${server.origin}\r\n` +
    "Next-Action: x\r\nContent-Length: 900000\r\n\r\n";
  const slow = ["/sign-in", "/portal/x"].flatMap((path) =>
    Array.from({ length: 150 }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(head(path)));
      return socket.on("error", () => {}).resume();
    }),
  );
  await Promise.all(slow.map((socket) => once(socket, "connect")));
  const drops = setInterval(() => {
    for (const socket of slow) socket.write("x".repeat(137));
  }, 100);
  const headers = { authorization: `Bearer ${server.apiToken}` };
  for (let round = 0; round < 5; round += 1)
    for (const path of ["/sign-in", "/api/v1/hooks", "/api/health"]) {
      const { status } = await fetch(`${server.origin}${path}`, { headers });
      expect([path, status]).toEqual([path, 200]);
    }
  expect(slow.filter(({ destroyed }) => !destroyed)).toHaveLength(300);
  clearInterval(drops);
  for (const socket of slow) socket.destroy();
});

/** Live lists of one session. */
function openLists(cookie: string) {
  const leaving = new AbortController();
  const open = (signal: AbortSignal) =>
    fetch(`${server.origin}/api/live?list=deliveries`, { headers: { cookie }, signal });
  // A response that nothing refers to is closed with the next garbage.
  const held: Response[] = [];
  return {
    async open() {
      const response = await open(leaving.signal);
      held.push(response);
      return response;
    },
    async close() {
      leaving.abort();
      // The server notices a moment later.
      const readStatus = async () => {
        const asking = new AbortController();
        const { status } = await open(asking.signal);
        asking.abort();
        return status;
      };
      await expect.poll(readStatus).toBe(200);
    },
  };
}

test("a session's open lists are limited, with a clear error, and everyone else is served", async () => {
  const lists = openLists(await signIn(server.origin, adminEmail, adminPassword));
  const opened = await Promise.all(Array.from({ length: 20 }, lists.open));
  const rejected = opened.filter(({ status }) => status === 429);
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(16);
  expect(await rejected[0]?.json()).toMatchObject({
    code: "rate_limited",
    detail: expect.stringContaining("16 lists open"),
  });
  expect((await fetch(`${server.origin}/sign-in`)).status).toBe(200);
  await lists.close();
});

test("a page whose list is rejected shows it without updates, and follows it later", async ({
  page,
  context,
}) => {
  await page.clock.install();
  const cookie = await signIn(server.origin, adminEmail, adminPassword);
  await context.addCookies(
    cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return { name, value, url: server.origin };
    }),
  );
  const lists = openLists(cookie);
  // Those of the last test count for the account until the server hears that they are closed.
  let open = 0;
  const openNext = async () => {
    if ((await lists.open()).status === 200) open += 1;
    return open;
  };
  await expect.poll(openNext, { intervals: [10] }).toBe(16);
  const nextResponse = () =>
    page.waitForResponse(/\/api\/live/).then((response) => response.status());
  const first = nextResponse();
  await page.goto(`${server.origin}/deliveries`);
  expect(await first).toBe(429);
  await expect(page.getByRole("heading", { name: "Deliveries" })).toBeVisible();
  await lists.close();
  const second = nextResponse();
  await page.clock.fastForward(31_000);
  expect(await second).toBe(200);
});

test("the start says how many migrations it applied, and an older version what a newer database is", async () => {
  expect(readLog().join("\n")).toMatch(/Database schema: applied \d+ migrations \(/);
  // Nor is their long list of names in the log.
  expect(readEvents().find(({ event }) => event === "server.ready")).toMatchObject({
    migrations: expect.any(Number),
  });
  expect(readLog().join("\n")).not.toContain("_foundation");
  await addLaterMigration();
  await server.stop();
  const starting = startServer({ folder }, access);
  await expect(starting).rejects.toThrow(
    /The database is newer than this version of Catchment \(it has the migration 29991231000000_later\)/,
  );
});

async function addLaterMigration(): Promise<void> {
  await using client = await connectTo(server.databaseUrl());
  await client.query(
    `insert into _prisma_migrations
       (id, checksum, finished_at, migration_name, applied_steps_count, started_at)
     values ('later', 'x', now(), '29991231000000_later', 1, now())`,
  );
}
