import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseCidrList } from "#lib/core/address/allow-list.ts";
import { readStatuses, sendRaw } from "#server/testing/catch-harness.ts";
import { createListener } from "./http-listener.ts";
import { createWebProxy, respondNoDashboard, type WebProxyOptions } from "./proxy-to-web.ts";

const folder = mkdtempSync(join(tmpdir(), "catchment-proxy-"));
const socketPath = join(folder, "web.sock");
const seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] =
  [];
let web: Server;
let front: Server;
let port = 0;

beforeAll(async () => {
  web = createServer((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body,
      });
      response.writeHead(201, {
        "set-cookie": ["a=1", "b=2"],
        "x-answer": "yes",
        "keep-alive": "timeout=99",
      });
      response.end(`saw ${body.length}`);
    });
  });
  web.listen(socketPath);
  await once(web, "listening");
  front = await listenWith("127.0.0.0/8", socketPath);
  port = (front.address() as AddressInfo).port;
});
afterEach(() => {
  seen.length = 0;
});
afterAll(() => {
  for (const server of [front, web]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true });
});

async function listenWith(
  trusted: string,
  path: string,
  options: Partial<WebProxyOptions> = {},
): Promise<Server> {
  const proxies = parseCidrList(trusted);
  const trustedProxies = proxies.ok ? proxies.cidrs : [];
  const server = createListener({
    onCatch: (_request, response) => response.end(),
    onOther: createWebProxy({
      socketPath: path,
      publicUrl: "https://hooks.example",
      trustedProxies,
      stallMs: 300,
      maxWakeMs: 1_500,
      ...options,
    }),
    maxBodyBytes: 1_000,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const ended = (received: string) => received.includes("saw ");

test("forwards method, path, body and headers unchanged, without hop-by-hop headers", async () => {
  const request =
    "PUT /a/%2F?x=1 HTTP/1.1\r\nHost: my.host\r\nX-Two: 1\r\nX-Two: 2\r\nCookie: s=1\r\nConnection: keep-alive, X-Hop\r\n" +
    "X-Hop: 1\r\nTE: trailers\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\nabc";
  const { received } = await sendRaw(port, request, { until: ended });
  expect(readStatuses(received)).toEqual([201]);
  expect(received.match(/set-cookie: /gi)?.length).toBe(2);
  expect(received).not.toContain("timeout=99");
  expect(seen).toMatchObject([{ method: "PUT", url: "/a/%2F?x=1", body: "abc" }]);
  const headers = seen[0]?.headers ?? {};
  expect(headers).toMatchObject({
    host: "my.host",
    "x-two": "1, 2",
    cookie: "s=1",
    "x-forwarded-host": "my.host",
  });
  expect(headers["x-forwarded-proto"]).toBe("https");
  for (const name of ["x-hop", "te", "upgrade"]) expect(headers[name]).toBeUndefined();
});

test("a chunked body stays one body, even with a method that usually has none", async () => {
  const inner = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\n\r\n";
  for (const method of ["GET", "DELETE", "POST", "OPTIONS"]) {
    const request = `${method} /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const { received } = await sendRaw(port, request, { until: ended });
    expect(readStatuses(received)).toEqual([201]);
  }
  expect(seen.map(({ url, body }) => [url, body])).toEqual(Array(4).fill(["/chunked", inner]));
});

test("naming Content-Length in Connection doesn't remove the body's length: it would become another request", async () => {
  const inner = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n";
  for (const method of ["GET", "HEAD", "DELETE", "OPTIONS", "POST"]) {
    const request =
      `${method} /outer HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Content-Length, host\r\n` +
      `Content-Length: ${inner.length}\r\n\r\n${inner}`;
    const { received } = await sendRaw(port, request, {
      until: (text) => text.includes("\r\n\r\n"),
    });
    expect(readStatuses(received)).toEqual([201]);
  }
  expect(seen.map(({ url, body, headers }) => [url, body, headers.host])).toEqual(
    Array(5).fill(["/outer", inner, "x"]),
  );
});

test("cuts off a body that stalls or drips, but not one that keeps coming", async () => {
  const head = (length: number) =>
    `POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const still = await sendRaw(port, `${head(900)}a`, { timeoutMs: 5_000 });
  expect(readStatuses(still.received)).toEqual([408]);
  const dripping = connect(port, "127.0.0.1");
  dripping.write(head(900));
  const drip = setInterval(() => dripping.write("a"), 100);
  const [answer] = (await once(dripping, "data")) as [Buffer];
  clearInterval(drip);
  dripping.destroy();
  expect(readStatuses(answer.toString("latin1"))).toEqual([408]);
  const coming = connect(port, "127.0.0.1");
  // If it is cut off all the same, the response below says so.
  coming.on("error", () => {});
  coming.write(head(900));
  for (let n = 0; n < 9; n += 1) {
    coming.write("a".repeat(100));
    await delay(80);
  }
  const [taken] = (await once(coming, "data")) as [Buffer];
  coming.destroy();
  expect(readStatuses(taken.toString("latin1"))).toEqual([201]);
});

test("sets the client's address: from a trusted proxy its claim, from anyone else the peer", async () => {
  const request =
    "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.7\r\nForwarded: for=6.6.6.6\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Proto: gopher\r\n\r\n";
  await sendRaw(port, request, { until: ended });
  const strict = await listenWith("10.0.0.0/8", socketPath);
  await sendRaw((strict.address() as AddressInfo).port, request, { until: ended });
  strict.close();
  strict.closeAllConnections();
  expect(seen.map(({ headers }) => headers["x-forwarded-for"])).toEqual([
    "198.51.100.7",
    "127.0.0.1",
  ]);
  for (const { headers } of seen) {
    expect([headers.forwarded, headers["x-forwarded-host"], headers["x-forwarded-proto"]]).toEqual([
      undefined,
      "x",
      "https",
    ]);
  }
});

test("an oversized body is 413 before it is forwarded, and 100-continue comes from us", async () => {
  const tooLarge = "Host: x\r\nContent-Length: 10485761\r\n";
  for (const expectation of ["", "Expect: 100-continue\r\n"]) {
    const large = await sendRaw(port, `POST / HTTP/1.1\r\n${tooLarge}${expectation}\r\n`);
    expect(readStatuses(large.received)).toEqual([413]);
  }
  const head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  const { received } = await sendRaw(port, [head, "{}"], { until: ended });
  expect(readStatuses(received)).toEqual([100, 201]);
  expect(seen.map(({ headers }) => headers.expect)).toEqual([undefined]);
});

test("a path whose escapes are not UTF-8 is 400 with an API error, and never forwarded", async () => {
  for (const path of ["/api/v1/hooks/%zz", "/%", "/hooks/%ff?a=1", "/%c0%af"]) {
    const { received } = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([path, readStatuses(received)]).toEqual([path, [400]]);
    expect(received).toContain('"code":"invalid_request"');
  }
  expect(seen).toEqual([]);
  const { received } = await sendRaw(port, "GET /%C3%a9?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n", {
    until: ended,
  });
  expect(readStatuses(received)).toEqual([201]);
});

test("the limit for deliveries doesn't apply to the dashboard and the API", async () => {
  // The listener under test accepts deliveries of 1,000 bytes.
  const body = "x".repeat(1_001);
  const head = `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { received } = await sendRaw(port, [head, body], { until: ended });
  expect(readStatuses(received)).toEqual([100, 201]);
  expect(seen.map((request) => request.body)).toEqual([body]);
});

test("an unavailable web process is 503 with Retry-After, a disabled one 404", async () => {
  const lonely = await listenWith("10.0.0.0/8", join(folder, "nobody.sock"));
  const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const { received } = await sendRaw((lonely.address() as AddressInfo).port, request);
  expect(readStatuses(received)).toEqual([503]);
  expect(received).toMatch(/retry-after: \d/i);
  lonely.close();
  const catchOnly = createListener({
    onCatch: () => {},
    onOther: respondNoDashboard,
    maxBodyBytes: 10,
  });
  catchOnly.listen(0, "127.0.0.1");
  await once(catchOnly, "listening");
  const none = await sendRaw((catchOnly.address() as AddressInfo).port, request);
  expect(readStatuses(none.received)).toEqual([404]);
  catchOnly.close();
});

test("a sleeping web process is woken and gets the waiting requests unchanged", async () => {
  const path = join(folder, "sleeper.sock");
  const bodies: string[] = [];
  const sleeper = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end("awake");
  });
  let wakes = 0;
  const bedroom = await listenWith("10.0.0.0/8", path, {
    wake: () => {
      wakes += 1;
      // The first wake-up was lost: it was just falling asleep.
      if (wakes === 4) sleeper.listen(path);
    },
  });
  const requests = ["first", "second"].map((body) =>
    fetch(`http://127.0.0.1:${(bedroom.address() as AddressInfo).port}/`, { method: "POST", body }),
  );
  const answers = await Promise.all((await Promise.all(requests)).map((answer) => answer.text()));
  expect(answers).toEqual(["awake", "awake"]);
  expect(bodies.toSorted()).toEqual(["first", "second"]);
  for (const server of [bedroom, sleeper]) {
    server.close();
    server.closeAllConnections();
  }
});

test("a web process that never wakes is 503 in the end, with its body unread", async () => {
  let wakes = 0;
  const lonely = await listenWith("10.0.0.0/8", join(folder, "nobody.sock"), {
    wake: () => {
      wakes += 1;
    },
  });
  const url = `http://127.0.0.1:${(lonely.address() as AddressInfo).port}/`;
  const answers = await Promise.all([
    fetch(url),
    fetch(url, { method: "POST", body: "x".repeat(900) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(wakes).toBeGreaterThan(2);
  lonely.close();
  lonely.closeAllConnections();
});

test("with every slot taken by streams, another request waits, gets an error, and is served once a stream has ended", async () => {
  const path = join(folder, "streams.sock");
  const streams = createServer((request, response) => {
    response.write("started ");
    if (request.url !== "/stream") response.end("and ended");
  });
  streams.listen(path);
  const narrow = await listenWith("10.0.0.0/8", path, { maxInFlight: 1, maxQueueMs: 200 });
  const url = `http://127.0.0.1:${(narrow.address() as AddressInfo).port}`;
  const leaving = new AbortController();
  const stream = await fetch(`${url}/stream`, { signal: leaving.signal });
  expect(stream.status).toBe(200);

  const rejected = await fetch(url, { method: "POST", body: "x".repeat(900) });
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get("retry-after")).toBe("2");
  expect(await rejected.json()).toMatchObject({
    detail: expect.stringContaining("at capacity"),
  });

  leaving.abort();
  const welcome = await fetch(url);
  expect(await welcome.text()).toBe("started and ended");
  for (const server of [narrow, streams]) {
    server.close();
    server.closeAllConnections();
  }
});

test("a client that disconnects midway affects no other request", async () => {
  for (let round = 0; round < 5; round += 1) {
    await sendRaw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc", {
      end: true,
    });
  }
  const { received } = await sendRaw(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", { until: ended });
  expect(readStatuses(received)).toEqual([201]);
});

test("a body that keeps dripping after its response is cut off, whatever the response and its origin", async () => {
  // A separate one for each try, since a retry may start while the first still listens.
  const path = join(folder, `early-${Math.random().toString(36).slice(2)}.sock`);
  const early = createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end("too early");
  });
  early.listen(path);
  const server = await listenWith("10.0.0.0/8", path);
  const { port: earlyPort } = server.address() as AddressInfo;
  const statuses = await Promise.all(
    ["/200", "/401", "/403", "/405", "/catch/account/hook"].map((url) => drip(earlyPort, url)),
  );
  expect(statuses).toEqual([200, 401, 403, 405, 200]);
  for (const each of [server, early]) {
    each.close();
    each.closeAllConnections();
  }
});

/**
 * Sends a byte of its body at intervals. @returns the status, once the server has closed the
 * connection
 */
async function drip(to: number, url: string): Promise<number> {
  const socket = connect(to, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(`POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`);
  const drops = setInterval(() => socket.write("x"), 50);
  // Not `once` of events, which rejects when the server resets the connection.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drops);
  return readStatuses(received)[0] ?? 0;
}

test("beyond the limit new connections are closed, and accepted again once others have closed", async () => {
  const small = createListener({
    onCatch: () => {},
    onOther: (_q, r) => r.end("saw "),
    maxBodyBytes: 10,
    maxConnections: 3,
  });
  small.listen(0, "127.0.0.1");
  await once(small, "listening");
  const smallPort = (small.address() as AddressInfo).port;
  const idle = [1, 2, 3].map(() => sendRaw(smallPort, "", { timeoutMs: 1_000 }));
  const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  await expect
    .poll(async () => (await sendRaw(smallPort, request)).received, { interval: 20 })
    .toBe("");
  await Promise.all(idle);
  await expect.poll(async () => (await sendRaw(smallPort, request)).received).toContain("saw ");
  small.close();
  small.closeAllConnections();
});
