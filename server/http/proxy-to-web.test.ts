import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readStatuses, sendRaw } from "#server/testing/catch-harness.ts";
import {
  closeAll,
  ended,
  listenWith,
  portOf,
  withWebProxy,
} from "#server/testing/with-web-proxy.ts";

const proxy = withWebProxy();

test("forwards method, path, body and headers unchanged, without hop-by-hop headers", async () => {
  const request =
    "PUT /a/%2F?x=1 HTTP/1.1\r\nHost: my.host\r\nX-Two: 1\r\nX-Two: " +
    "2\r\nCookie: s=1\r\nConnection: keep-alive, X-Hop\r\n" +
    "X-Hop: 1\r\nTE: trailers\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\nabc";
  const { received } = await sendRaw(proxy.port, request, { until: ended });
  expect(readStatuses(received)).toEqual([201]);
  expect(received.match(/set-cookie: /gi)?.length).toBe(2);
  expect(received).not.toContain("timeout=99");
  expect(proxy.seen).toMatchObject([{ method: "PUT", url: "/a/%2F?x=1", body: "abc" }]);
  const headers = proxy.seen[0]?.headers ?? {};
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
    const request =
      `${method} /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ` +
      `chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const { received } = await sendRaw(proxy.port, request, { until: ended });
    expect(readStatuses(received)).toEqual([201]);
  }
  expect(proxy.seen.map(({ url, body }) => [url, body])).toEqual(
    Array(4).fill(["/chunked", inner]),
  );
});

test(
  "naming Content-Length in Connection doesn't remove the " +
    "body's length: it would become another request",
  async () => {
    const inner = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n";
    for (const method of ["GET", "HEAD", "DELETE", "OPTIONS", "POST"]) {
      const request =
        `${method} /outer HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Content-Length, host\r\n` +
        `Content-Length: ${inner.length}\r\n\r\n${inner}`;
      const { received } = await sendRaw(proxy.port, request, {
        until: (text) => text.includes("\r\n\r\n"),
      });
      expect(readStatuses(received)).toEqual([201]);
    }
    expect(proxy.seen.map(({ url, body, headers }) => [url, body, headers.host])).toEqual(
      Array(5).fill(["/outer", inner, "x"]),
    );
  },
);

test("cuts off a body that stalls or drips, but not one that keeps coming", {
  tags: "variant",
}, async () => {
  const head = (length: number) =>
    `POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const still = await sendRaw(proxy.port, `${head(900)}a`);
  expect(readStatuses(still.received)).toEqual([408]);
  const dripping = connect(proxy.port, "127.0.0.1");
  dripping.write(head(900));
  const drip = setInterval(() => dripping.write("a"), 100);
  const [response] = (await once(dripping, "data")) as [Buffer];
  clearInterval(drip);
  dripping.destroy();
  expect(readStatuses(response.toString("latin1"))).toEqual([408]);
  const coming = connect(proxy.port, "127.0.0.1");
  // If it is cut off all the same, the response below says so.
  coming.on("error", () => {});
  coming.write(head(100_000));
  for (let n = 0; n < 20; n += 1) {
    coming.write("a".repeat(5_000));
    await delay(80);
  }
  const [taken] = (await once(coming, "data")) as [Buffer];
  coming.destroy();
  expect(readStatuses(taken.toString("latin1"))).toEqual([201]);
});

test("sets the client's address: from a trusted proxy its claim, from anyone else the peer", async () => {
  const request =
    "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.7\r\nForwarded: " +
    "for=6.6.6.6\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Proto: gopher\r\n\r\n";
  await sendRaw(proxy.port, request, { until: ended });
  const strict = await listenWith("10.0.0.0/8", proxy.socketPath);
  await sendRaw(portOf(strict), request, { until: ended });
  closeAll(strict);
  expect(proxy.seen.map(({ headers }) => headers["x-forwarded-for"])).toEqual([
    "198.51.100.7",
    "127.0.0.1",
  ]);
  for (const { headers } of proxy.seen) {
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
    const large = await sendRaw(proxy.port, `POST / HTTP/1.1\r\n${tooLarge}${expectation}\r\n`);
    expect(readStatuses(large.received)).toEqual([413]);
  }
  const head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  const { received } = await sendRaw(proxy.port, [head, "{}"], { until: ended });
  expect(readStatuses(received)).toEqual([100, 201]);
  expect(proxy.seen.map(({ headers }) => headers.expect)).toEqual([undefined]);
});

test("a path whose escapes are not UTF-8 is 400 with an API error, and never forwarded", async () => {
  for (const path of ["/api/v1/hooks/%zz", "/%", "/hooks/%ff?a=1", "/%c0%af"]) {
    const { received } = await sendRaw(proxy.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([path, readStatuses(received)]).toEqual([path, [400]]);
    expect(received).toContain('"code":"invalid_request"');
  }
  expect(proxy.seen).toEqual([]);
  const { received } = await sendRaw(proxy.port, "GET /%C3%a9?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n", {
    until: ended,
  });
  expect(readStatuses(received)).toEqual([201]);
});

test("the limit for deliveries doesn't apply to the dashboard and the API", async () => {
  // The listener under test accepts deliveries of 1,000 bytes.
  const body = "x".repeat(1_001);
  const head = `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { received } = await sendRaw(proxy.port, [head, body], { until: ended });
  expect(readStatuses(received)).toEqual([100, 201]);
  expect(proxy.seen.map((request) => request.body)).toEqual([body]);
});

test("a client that disconnects midway affects no other request", async () => {
  for (let round = 0; round < 5; round += 1) {
    await sendRaw(proxy.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc", {
      end: true,
    });
  }
  const { received } = await sendRaw(proxy.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", {
    until: ended,
  });
  expect(readStatuses(received)).toEqual([201]);
});

test("a body that keeps dripping after its response is cut off", { tags: "variant" }, async () => {
  expect(await drip(proxy.port, "/catch/account/hook")).toBe(200);
});

test("the image optimizer doesn't exist, in any spelling that Next knows", async () => {
  for (const path of [
    "/_next/image",
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/image/?x",
  ]) {
    const { received } = await sendRaw(proxy.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([path, readStatuses(received)]).toEqual([path, [404]]);
  }
  expect(proxy.seen).toEqual([]);
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
