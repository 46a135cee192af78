import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { readStatuses, sendRaw } from "#server/testing/catch-harness.ts";
import { createPublicWebServer, type PublicWebOptions } from "./public-web-server.ts";

let server = createServer();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function start(
  handle: RequestListener,
  options: Partial<PublicWebOptions> = {},
): Promise<number> {
  const publicUrl = "https://hooks.example";
  server = createPublicWebServer(
    { publicUrl, trustedProxies: [], maxBodyBytes: 1_000, ...options },
    handle,
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const echo: RequestListener = (request, response) => response.end(JSON.stringify(request.headers));

const claims = {
  "x-forwarded-for": "198.51.100.9",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
  forwarded: "for=198.51.100.9",
};

test("doesn't trust an attacker's claims about the client, but those of a trusted proxy", async () => {
  const read = async (port: number): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/`, { headers: claims })).json();
  const own = (port: number) => ({
    "x-forwarded-host": `127.0.0.1:${port}`,
    "x-forwarded-proto": "https",
  });
  const port = await start(echo);
  const seen = await read(port);
  expect(seen).toMatchObject({ ...own(port), "x-forwarded-for": "127.0.0.1" });
  expect(seen).not.toHaveProperty("forwarded");
  server.close();

  const proxies = parseCidrList("127.0.0.1");
  const behind = await start(echo, { trustedProxies: proxies.ok ? proxies.cidrs : [] });
  expect(await read(behind)).toMatchObject({ ...own(behind), "x-forwarded-for": "198.51.100.9" });
});

test("a body that never ends doesn't hold its connection forever", async () => {
  const port = await start((request) => request.resume(), { requestTimeoutMs: 300 });
  // Node checks the longer of its two limits only after the shorter one, for headers, has passed.
  server.headersTimeout = 100;
  const request = "POST /api/v1/hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this";
  const { received, closed } = await sendRaw(port, request);
  expect([readStatuses(received), closed]).toEqual([[408], true]);
});

test("oversized bodies, catch paths and ambiguous requests never reach Next", async () => {
  const port = await start(() => expect.unreachable());
  const statuses = [];
  for (const request of [
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10485761\r\n\r\n",
    "POST /catch/a/b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
  ])
    statuses.push(readStatuses((await sendRaw(port, request)).received));
  expect(statuses).toEqual([[413], [404], [400]]);
});

test("a change from a page of another site, or from no page, never reaches Next", async () => {
  const passed: string[] = [];
  const port = await start(({ method, url }, response) => {
    passed.push(`${method} ${url}`);
    response.end();
  });
  const ask = async (line: string, origin: string | null) => {
    const from = origin === null ? "" : `Origin: ${origin}\r\n`;
    const request = `${line} HTTP/1.1\r\nHost: hooks.example\r\n${from}Connection: close\r\n\r\n`;
    return readStatuses((await sendRaw(port, request)).received)[0];
  };
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    for (const origin of ["https://evil.example", "http://hooks.example", "null", null])
      for (const path of ["/sign-in", "/api/auth/signout", "/api/v1x", "/api/%761/hooks"])
        expect(await ask(`${method} ${path}`, origin), `${method} ${path} ${origin}`).toBe(403);
  expect(passed).toEqual([]);
  expect(await ask("POST /sign-in", "https://hooks.example")).toBe(200);
  for (const line of ["POST /api/v1/hooks", "GET /sign-in", "HEAD /", "OPTIONS /"])
    expect(await ask(line, "https://evil.example"), line).toBe(200);
  // Tools send no Origin.
  expect(await ask("POST /oauth/token", null)).toBe(200);
  expect(await ask("POST /oauth/token", "https://evil.example")).toBe(403);
  expect(await ask("POST /mcp", null)).toBe(200);
  expect(await ask("POST /mcp", "https://evil.example")).toBe(403);
  expect(passed).toHaveLength(7);
});

test("an unknown Host gets 421 once the public URL is configured, and https is enforced", async () => {
  const port = await start(
    (_, response) => response.writeHead(200, ["content-length", "0"]).end(),
    {
      isPublicUrlGiven: true,
    },
  );
  const ask = async (host: string, path = "/"): Promise<string> => {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return (await sendRaw(port, request)).received;
  };
  const statuses: Record<string, unknown> = {};
  for (const host of [
    "hooks.example",
    "HOOKS.example:443",
    "localhost:3000",
    `127.0.0.1:${port}`,
    "[::1]:1",
  ])
    statuses[host] = readStatuses(await ask(host))[0];
  expect(new Set(Object.values(statuses)), JSON.stringify(statuses)).toEqual(new Set([200]));
  for (const host of [
    "evil.example",
    "hooks.example.evil",
    "hooks.example:8443",
    "10.0.0.1",
    "127.evil.example",
    "",
  ])
    expect(readStatuses(await ask(host)), host).toEqual([421]);
  // A load balancer checks health by address.
  expect(readStatuses(await ask("10.0.0.1", "/api/health"))).toEqual([200]);
  expect(readStatuses(await ask("evil.example", "/api/health"))).toEqual([421]);
  expect(await ask("hooks.example")).toContain("strict-transport-security: max-age=31536000");
});

test("without a public URL every name works, and plain http sends no https policy", async () => {
  const port = await start(echo, { publicUrl: "http://localhost:3000" });
  const response = await sendRaw(
    port,
    "GET / HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n",
  );
  expect(readStatuses(response.received)).toEqual([200]);
  expect(response.received).not.toContain("strict-transport-security");
});
