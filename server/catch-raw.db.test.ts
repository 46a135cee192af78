import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "#lib/db/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import {
  addHook,
  type CatchUnderTest,
  readStatuses,
  sendJson,
  sendRaw,
  startTestCatch,
  type TestHook,
} from "./testing/catch-harness.ts";

let database: TestDatabase;
let db: Database;
let caught: CatchUnderTest;
let hook: TestHook;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolSize: 2, applicationName: "test" });
  caught = await startTestCatch(database.url, { maxBodyBytes: 100_000 });
  hook = await addHook(db);
});
afterAll(async () => {
  await caught.stop();
  await db.$disconnect();
  await database.drop();
});

/** CRLF for the line ends of a template; `@` stands for the hook's path. */
function lines(text: string): string {
  return text.replaceAll("\n", "\r\n").replaceAll("@", hook.path);
}

const head = "POST @ HTTP/1.1\nHost: x\n";
const smuggled = "POST @ HTTP/1.1\nHost: x\nContent-Length: 2\nSmuggled: yes\n\n{}";

type Case = readonly [name: string, request: string, statuses: readonly number[]];

// An empty list: the connection is closed, with or without a 4xx.
const shapes: readonly Case[] = [
  [
    "Content-Length and Transfer-Encoding",
    `${head}Content-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n${smuggled}`,
    [400],
  ],
  [
    "Transfer-Encoding, then Content-Length",
    `${head}Transfer-Encoding: chunked\nContent-Length: 5\n\n0\n\n`,
    [400],
  ],
  ["two differing Content-Lengths", `${head}Content-Length: 2\nContent-Length: 3\n\n{}`, [400]],
  ["the same Content-Length twice", `${head}Content-Length: 2\nContent-Length: 2\n\n{}`, [400]],
  ["Content-Length: 2, 2", `${head}Content-Length: 2, 2\n\n{}`, [400]],
  ["Content-Length: +2", `${head}Content-Length: +2\n\n{}`, [400]],
  ["Content-Length: -1", `${head}Content-Length: -1\n\n{}`, [400]],
  ["Content-Length: 0x2", `${head}Content-Length: 0x2\n\n{}`, [400]],
  ["Content-Length: 2e0", `${head}Content-Length: 2e0\n\n{}`, [400]],
  ["an empty Content-Length", `${head}Content-Length:\n\n{}`, [400]],
  ["a Content-Length of 30 digits", `${head}Content-Length: 999999999999999999999999999999\n\n{}`, [400]],
  ["Transfer-Encoding with a space before the colon", `${head}Transfer-Encoding : chunked\n\n0\n\n`, [400]],
  ["Transfer-Encoding: xchunked", `${head}Transfer-Encoding: xchunked\n\n0\n\n${smuggled}`, [400]],
  [
    "Transfer-Encoding: chunked, identity",
    `${head}Transfer-Encoding: chunked, identity\n\n0\n\n${smuggled}`,
    [400],
  ],
  ["Transfer-Encoding: gzip, chunked", `${head}Transfer-Encoding: gzip, chunked\n\n0\n\n${smuggled}`, [400]],
  ["Transfer-Encoding: identity", `${head}Transfer-Encoding: identity\nContent-Length: 2\n\n{}`, [400]],
  [
    "Transfer-Encoding twice",
    `${head}Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n`,
    [400],
  ],
  ["Transfer-Encoding folded over two lines", `${head}Transfer-Encoding:\n chunked\n\n0\n\n`, [400]],
  ["Transfer-Encoding on HTTP/1.0", "POST @ HTTP/1.0\nHost: x\nTransfer-Encoding: chunked\n\n0\n\n", [400]],
  ["HTTP/0.9", "GET @\n\n", [400]],
  ["HTTP/2.0 on a 1.1 connection", "POST @ HTTP/2.0\nHost: x\n\n", [400]],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\n\nSM\n\n", [400]],
  ["HTTP/1.9", "POST @ HTTP/1.9\nHost: x\n\n", [400]],
  ["no version worth the name", "POST @ FOO/1.1\nHost: x\n\n", [400]],
  ["two Host headers", `${head}Host: y\nContent-Length: 2\n\n{}`, [400]],
  [
    "two Host headers, and another request behind them",
    `${head}Host: y\nContent-Length: 2\n\n{}${smuggled}`,
    [400],
  ],
  ["no Host header on HTTP/1.1", "POST @ HTTP/1.1\nContent-Length: 2\n\n{}", [400]],
  ["an absolute-form target", "POST http://evil.example@ HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["an absolute-form target of https", "GET https://evil.example/ HTTP/1.1\nHost: x\n\n", [400]],
  ["//evil", "POST //evil.example@ HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  ["a backslash", "POST /catch\\..\\x HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  ["dot segments", "POST @/../../x HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  ["escaped dot segments", "POST @/%2e%2E/x HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  [
    "a dot segment before the account",
    "POST /catch/../catch/x HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}",
    [404],
  ],
  ["%00 in the key", "POST @%00 HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  ["%00 behind the key", "POST @/%00 HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [404]],
  ["%zz", "POST @/%zz HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["%ff", "POST @/%ff HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["a percent sign at the end", "POST @/% HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["overlong UTF-8", "POST @/%c0%ae%c0%ae HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["an escaped surrogate", "POST @/%ed%a0%80 HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["a bad escape in the query", "POST @?a=%zz HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["a NUL in the target", "POST @\0 HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["a space in the target", "POST @ x HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["a target without a slash", "POST catch HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["OPTIONS *", "OPTIONS * HTTP/1.1\nHost: x\n\n", [400]],
  [
    "OPTIONS on the hook",
    "OPTIONS @ HTTP/1.1\nHost: x\nConnection: close\nWebHook-Request-Origin: e\n\n",
    [405],
  ],
  ["TRACE on the hook", "TRACE @ HTTP/1.1\nHost: x\nConnection: close\n\n", [405]],
  ["TRACE elsewhere", "TRACE / HTTP/1.1\nHost: x\n\n", [405]],
  ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\nHost: x\n\n", [405]],
  ["CONNECT on the hook", "CONNECT @ HTTP/1.1\nHost: x\n\n", [400, 405]],
  ["an unknown method", "BREW @ HTTP/1.1\nHost: x\n\n", [400]],
  ["a method in lower case", "post @ HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", [400]],
  ["another expectation", `${head}Expect: 200-ok\nContent-Length: 2\n\n{}`, [417]],
  ["a header without a name", `${head}: x\n\n`, [400]],
  ["a header name with a space", `${head}A B: x\nContent-Length: 2\n\n{}`, [400]],
  ["a NUL in a header", `${head}A: \0\nContent-Length: 2\n\n{}`, [400]],
  ["a bare CR in a header", `${head}A: b\rC: d\nContent-Length: 2\n\n{}`, [400]],
  ["garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [400]],
  ["a chunk size that is no number", `${head}Transfer-Encoding: chunked\n\nzz\n{}\n0\n\n`, [400]],
  ["a negative chunk size", `${head}Transfer-Encoding: chunked\n\n-2\n{}\n0\n\n`, [400]],
  ["a chunk longer than it says", `${head}Transfer-Encoding: chunked\n\n1\n{}\n0\n\n`, [400]],
  ["a chunk size beyond 2^64", `${head}Transfer-Encoding: chunked\n\nfffffffffffffffff\n{}\n0\n\n`, [400]],
];

describe("shapes that two programs could read in two ways, or one could fall over", () => {
  test.each(shapes)(
    "%s is a 4xx, the connection closes, and nothing behind it is taken",
    async (_name, request, statuses) => {
      const before = await db.delivery.count({ where: { status: "accepted" } });
      const { received, closed } = await sendRaw(caught.port, lines(request), { timeoutMs: 5_000 });
      expect(closed).toBe(true);
      const [status, ...others] = readStatuses(received);
      expect(others).toEqual([]);
      expect(statuses).toContain(status);
      expect(received.toLowerCase()).not.toContain("\r\nlocation:");
      expect(await db.delivery.count({ where: { status: "accepted" } })).toBe(before);
    },
  );

  test("a bare LF is no line end, neither in the head nor between chunks", async () => {
    const path = hook.path;
    for (const request of [
      `POST ${path} HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`,
    ]) {
      const { received, closed } = await sendRaw(caught.port, request, { timeoutMs: 3_000 });
      expect([readStatuses(received), closed]).toEqual([[400], true]);
    }
  });

  test("a URL over 8 KiB is 414, over 16 KiB 431; headers over 16 KiB or 200 fields are 431", async () => {
    const end = "HTTP/1.1\nHost: x\nContent-Length: 2\n";
    const cases: [string, number][] = [
      [`POST @?${"a".repeat(8_300)} ${end}\n{}`, 414],
      [`POST @?${"a".repeat(17_000)} ${end}\n{}`, 431],
      [`POST @ ${end}A: ${"a".repeat(17_000)}\n\n{}`, 431],
      [`POST @ ${end}${"a: b\n".repeat(200)}\n{}`, 431],
      [`POST @ ${end}${"a: b\n".repeat(3_000)}\n{}`, 431],
      [`POST @ ${end}Transfer-Encoding: chunked\n\n2;${"a".repeat(17_000)}\n{}\n0\n\n`, 400],
      [`POST @ HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n2;${"a".repeat(17_000)}\n{}\n0\n\n`, 413],
    ];
    for (const [request, status] of cases) {
      const { received, closed } = await sendRaw(caught.port, lines(request), { timeoutMs: 3_000 });
      expect([readStatuses(received), closed]).toEqual([[status], true]);
    }
  });
});

describe("what is right is taken", () => {
  const done = (count: number) => (received: string) => received.split('"deliveryId"').length > count;

  test("chunked, with an extension and a trailer", async () => {
    const request = `${head}Transfer-Encoding: chunked\n\n1;a=b\n{\n1\n}\n0\nT: x\n\n`;
    const { received } = await sendRaw(caught.port, lines(request), { until: done(1) });
    expect(readStatuses(received)).toEqual([200]);
  });

  test("HTTP/1.0 without Host, and a foreign Host, which comes back nowhere", async () => {
    const old = await sendRaw(caught.port, lines("POST @ HTTP/1.0\nContent-Length: 2\n\n{}"));
    expect([readStatuses(old.received), old.closed]).toEqual([[200], true]);
    const foreign = "POST @ HTTP/1.1\nHost: evil.example\nConnection: close\nContent-Length: 2\n\n{}";
    const { received } = await sendRaw(caught.port, lines(foreign));
    expect(readStatuses(received)).toEqual([200]);
    expect(received).not.toContain("evil");
  });

  test("pipelined requests are answered in order; a refusal between them keeps the connection when it was read whole", async () => {
    const one = (id: string) =>
      `POST @ HTTP/1.1\nHost: x\nContent-Length: ${id.length + 9}\n\n{"id":"${id}"}`;
    const bad = "POST @ HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: 1\n\n{";
    const request = [one("p1"), one("p2"), bad, one("p1"), one("p3")].join("");
    const { received } = await sendRaw(caught.port, lines(request), { until: done(4) });
    expect(readStatuses(received)).toEqual([200, 200, 400, 200, 200]);
    const states = [...received.matchAll(/"status":"(\w+)"/g)].map(([, state]) => state);
    expect(states).toEqual(["accepted", "accepted", "duplicate", "accepted"]);
  });

  test("after a valid request, garbage closes the connection and is not taken for the answer", async () => {
    const request = `POST @ HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}garbage\n\n`;
    const { received, closed } = await sendRaw(caught.port, lines(request), { timeoutMs: 3_000 });
    expect(closed).toBe(true);
    expect(readStatuses(received).filter((status) => status !== 200)).toEqual([]);
  });

  test("100-continue is said where the body is welcome, and not where it is too large", async () => {
    const welcome = `${head}Expect: 100-continue\nContent-Length: 2\n\n`;
    const { received } = await sendRaw(caught.port, [lines(welcome), "{}"], { until: done(1) });
    expect(readStatuses(received)).toEqual([100, 200]);
    const large = await sendRaw(
      caught.port,
      lines(`${head}Expect: 100-continue\nContent-Length: 100001\n\n`),
      {
        timeoutMs: 3_000,
      },
    );
    expect([readStatuses(large.received), large.closed]).toEqual([[413], true]);
  });

  test("who sends its whole body before it looks at the answer still reads the 413", async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 120);
    const socket = connect(caught.port, "127.0.0.1").on("error", () => {});
    socket.write(lines(`${head}Content-Length: ${body.length}\n\n`));
    // Not listening for data leaves the answer in the kernel, where a reset would wipe it out.
    await new Promise<void>((resolve) => socket.write(body, () => resolve()));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    await new Promise((resolve) => socket.once("close", resolve));
    expect(readStatuses(received)).toEqual([413]);
    expect(received).toContain("body_too_large");
  });
});

describe("slow and broken senders", () => {
  test("are cut off within about 10 s, store nothing and harm nobody meanwhile", {
    timeout: 30_000,
  }, async () => {
    const before = await db.delivery.count({ where: { hookId: hook.id } });
    const slow = hook.path;
    const broken = Promise.all([
      sendRaw(caught.port, ""),
      sendRaw(caught.port, `POST ${slow} HTTP/1.1\r\nHost: x\r\n`),
      sendRaw(caught.port, lines(`${head}Content-Length: 1000\n\n${"x".repeat(500)}`)),
      sendRaw(caught.port, lines(`${head}Transfer-Encoding: chunked\n\n5\nhel`)),
      drip(lines(`${head}Content-Length: 90000\n\n`)),
      drip(`POST ${slow} HTTP/1.1\r\nHost: x\r\nA: `),
    ]);
    let worstMs = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        expect((await sendJson(caught.port, hook.path, "[]")).status).toBe(200);
        worstMs = Math.max(worstMs, performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const results = await broken;
    isOver = true;
    await others;
    for (const { closed, elapsedMs, received } of results) {
      expect(closed).toBe(true);
      expect(elapsedMs).toBeLessThan(12_000);
      expect(readStatuses(received).every((status) => status === 408)).toBe(true);
    }
    expect(worstMs).toBeLessThan(2_000);
    const stored = await db.delivery.findMany({ where: { hookId: hook.id }, select: { bodySize: true } });
    expect(stored.length).toBeGreaterThan(before);
    expect(stored.some(({ bodySize }) => bodySize >= 500)).toBe(false);
  });

  test("FIN in the middle of a body: 4xx or closed, nothing stored", async () => {
    const lonely = await addHook(db);
    const request = `POST ${lonely.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${"x".repeat(500)}`;
    const { received, closed, elapsedMs } = await sendRaw(caught.port, request, { end: true });
    expect(closed).toBe(true);
    expect(elapsedMs).toBeLessThan(5_000);
    expect(readStatuses(received).every((status) => status === 400 || status === 408)).toBe(true);
    expect(await db.delivery.count({ where: { hookId: lonely.id } })).toBe(0);
  });
});

/** One byte every 200 ms. */
function drip(start: string): Promise<{ closed: boolean; elapsedMs: number; received: string }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect(caught.port, "127.0.0.1", () => socket.write(start));
    let received = "";
    const timer = setInterval(() => socket.write("x"), 200);
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(timer);
      resolve({ closed: true, elapsedMs: performance.now() - startedAt, received });
    });
  });
}
