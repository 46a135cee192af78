import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { parseCidrList } from "#lib/core/address/allow-list.ts";
import { createPublicWebServer, type PublicWebOptions } from "./public-web-server.ts";
import { readStatuses, sendRaw } from "./testing/catch-harness.ts";

let server = createServer();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function start(handle: RequestListener, options: Partial<PublicWebOptions> = {}): Promise<number> {
  const publicUrl = "https://hooks.example";
  server = createPublicWebServer({ publicUrl, trustedProxies: [], maxBodyBytes: 1_000, ...options }, handle);
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

test("what a stranger claims of the client is not believed, and what a trusted proxy says is", async () => {
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

test("a body that never comes to its end holds no connection for ever", async () => {
  const port = await start((request) => request.resume(), { requestTimeoutMs: 300 });
  // Node looks at the longer of its two limits only once the shorter one, that of the headers, has passed.
  server.headersTimeout = 100;
  const request = "POST /api/v1/hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this";
  const { received, closed } = await sendRaw(port, request, { timeoutMs: 5_000 });
  expect([readStatuses(received), closed]).toEqual([[408], true]);
});

test("a body that is too large, a path of the catch endpoint and what can be read in two ways never reach Next", async () => {
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
