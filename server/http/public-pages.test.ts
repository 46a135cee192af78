import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendRaw } from "#server/testing/catch-harness.ts";
import { closeAll, listenWith, portOf, withWebProxy } from "#server/testing/with-web-proxy.ts";
import type { WebProxyOptions } from "./proxy-to-web.ts";

const { folder } = withWebProxy();

/** A web process that tells what it was asked for, and how often. */
let web: Server;
let path: string;
let asked: IncomingMessage[];
let fronts: Server[];

beforeEach(async () => {
  path = join(folder, `pages-${Math.random().toString(36).slice(2)}.sock`);
  asked = [];
  fronts = [];
  web = createServer((request, response) => {
    asked.push(request);
    const { url = "" } = request;
    if (url === "/catalog/with-cookie") response.setHeader("set-cookie", "a=1");
    response.statusCode = url === "/no-such-page" ? 404 : url === "/docs/broken" ? 500 : 200;
    response.setHeader("content-security-policy", `nonce-${asked.length}`);
    response.end(`${url} ${asked.length}`);
  });
  web.listen(path);
  await once(web, "listening");
});
afterEach(() => closeAll(...fronts, web));

const routes = ["/docs", "/docs/search", "/setup", "/docs/broken", "/catalog/with-cookie"];

async function openFront(options: Partial<WebProxyOptions> = {}) {
  const isRoute = (route: string) => routes.includes(route);
  const front = await listenWith("127.0.0.0/8", path, { isRoute, ...options });
  fronts.push(front);
  const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${portOf(front)}${url}`, { headers });
  return Object.assign(get, { port: portOf(front) });
}

async function read(response: Promise<Response>) {
  const { status, headers } = await response;
  const policy = headers.get("content-security-policy");
  return { status, policy, text: await (await response).text() };
}

test("the web process makes a public page once, for all who ask at the same time and later", async () => {
  const get = await openFront();
  const pages = await Promise.all(Array.from({ length: 50 }, () => read(get("/docs"))));
  pages.push(await read(get("/docs", { cookie: "a=1", "x-forwarded-for": "198.51.100.1" })));
  const same = { status: 200, policy: "nonce-1", text: "/docs 1" };
  expect(pages).toEqual(Array(51).fill(same));
  expect(asked).toHaveLength(1);
  // Nothing of the visitor, on whose behalf it is asked.
  expect(asked[0]?.headers).not.toHaveProperty("cookie");
});

test("where tools sign in is kept, too", async () => {
  const get = await openFront();
  const url = "/.well-known/oauth-authorization-server";
  expect([await read(get(url)), await read(get(url))]).toEqual(
    Array(2).fill({ status: 200, policy: "nonce-1", text: `${url} 1` }),
  );
});

test.each([
  ["a query", "/docs?a=1", {}],
  ["Next's scripts", "/docs", { rsc: "1" }],
  ["the search", "/docs/search", {}],
  ["a page for one client", "/catalog/with-cookie", {}],
  ["a page that failed", "/docs/broken", {}],
  ["another page", "/setup", {}],
  ["an escape", "/%64ocs", {}],
])("%s is asked for each time", async (_what, url, headers) => {
  const get = await openFront();
  await read(get(url, headers));
  const before = asked.length;
  await read(get(url, headers));
  expect(asked.length).toBeGreaterThan(before);
  expect(asked.at(-1)?.url).toBe(url);
});

test("what isn't there is one page for visitors, and the web process's own for people", async () => {
  const get = await openFront({ isPerson: ({ headers }) => headers.cookie === "session" });
  const paths = ["/a", "/b/c?d=1", "/docs/no/such/page/here"];
  for (const missing of paths) expect((await read(get(missing))).text).toBe("/no-such-page 1");
  expect((await read(get("/a"))).status).toBe(404);
  expect((await read(get("/a", { cookie: "session" }))).text).toBe("/a 2");
});

test("hosts have copies of their own: a page can name the address that it was asked at", async () => {
  const get = await openFront();
  for (const host of ["a.example", "b.example", "a.example"])
    await sendRaw(get.port, `GET /docs HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(asked.map(({ headers }) => headers["x-forwarded-host"])).toEqual([
    "a.example",
    "b.example",
  ]);
  expect(asked[0]?.headers["x-forwarded-proto"]).toBe("https");
});

test("an address that asks for too many pages is told so late, and others are served", async () => {
  const get = await openFront();
  const from = (address: string) => ({ "x-forwarded-for": address });
  let refused: Response | undefined;
  // On a busy machine, all 120 pages are allowed, because they take seconds.
  const askForMany = async () => {
    const asked = Array.from({ length: 120 }, () => get("/docs", from("198.51.100.1")));
    refused = (await Promise.all(asked)).find(({ status }) => status === 429);
    return refused !== undefined;
  };
  await expect.poll(askForMany).toBe(true);
  expect(refused?.headers.get("retry-after")).toBe("1");
  expect(await refused?.json()).toMatchObject({ code: "rate_limited" });
  expect((await get("/docs", from("198.51.100.2"))).status).toBe(200);
});
