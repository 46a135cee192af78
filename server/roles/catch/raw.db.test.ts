import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { readStatuses, sendJson, sendRaw } from "#server/testing/catch-harness.ts";
import { head, shapes } from "#server/testing/request-shapes.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch({ maxBodyBytes: 100_000 });
let hook: TestHook;
beforeAll(async () => {
  hook = await addHook(bench.db);
});

/** Replaces line feeds with CRLF and `@` with the hook's path. */
function lines(text: string): string {
  return text.replaceAll("\n", "\r\n").replaceAll("@", hook.path);
}

test.each(["/%zz", "/%ff", "/%", "/%c0%ae%c0%ae", "/%ed%a0%80", "?a=%zz"])(
  "%s behind the key is caught: an escape that isn't UTF-8 is no error",
  async (behind) => {
    const request = `POST @${behind} HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 2\n\n{}`;
    const { received } = await sendRaw(bench.caught.port, lines(request));
    expect(readStatuses(received)).toEqual([200]);
    const where = behind.startsWith("?") ? { query: behind.slice(1) } : { path: behind };
    expect(await bench.db.delivery.count({ where })).toBe(1);
  },
);

describe("ambiguous or malformed requests", () => {
  test.each(shapes)(
    "%s is a 4xx, the connection closes, and nothing after it is accepted",
    async (_name, request, statuses) => {
      const before = await bench.db.delivery.count({ where: { status: "accepted" } });
      const { received, closed } = await sendRaw(bench.caught.port, lines(request));
      expect(closed).toBe(true);
      const [status, ...others] = readStatuses(received);
      expect(others).toEqual([]);
      expect(statuses).toContain(status);
      expect(received.toLowerCase()).not.toContain("\r\nlocation:");
      // Earlier requests are stored by the time they get a response.
      expect((await sendJson(bench.caught.port, hook.path, {})).status).toBe(200);
      expect(await bench.db.delivery.count({ where: { status: "accepted" } })).toBe(before + 1);
    },
  );

  test("a bare LF is not a line end, neither in the head nor between chunks", async () => {
    const path = hook.path;
    for (const request of [
      `POST ${path} HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`,
    ]) {
      const { received, closed } = await sendRaw(bench.caught.port, request);
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
      [
        `POST @ HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n2;${"a".repeat(17_000)}\n{}\n0\n\n`,
        413,
      ],
    ];
    for (const [request, status] of cases) {
      const { received, closed } = await sendRaw(bench.caught.port, lines(request));
      expect([readStatuses(received), closed]).toEqual([[status], true]);
    }
  });
});

describe("valid requests", () => {
  const done = (count: number) => (received: string) =>
    received.split('"deliveryId"').length > count;

  test("chunked, with an extension and a trailer", async () => {
    const request = `${head}Transfer-Encoding: chunked\n\n1;a=b\n{\n1\n}\n0\nT: x\n\n`;
    const { received } = await sendRaw(bench.caught.port, lines(request), { until: done(1) });
    expect(readStatuses(received)).toEqual([200]);
  });

  test("HTTP/1.0 without Host, and a foreign Host, which is never returned", async () => {
    const old = await sendRaw(bench.caught.port, lines("POST @ HTTP/1.0\nContent-Length: 2\n\n{}"));
    expect([readStatuses(old.received), old.closed]).toEqual([[200], true]);
    const foreign =
      "POST @ HTTP/1.1\nHost: evil.example\nConnection: close\nContent-Length: 2\n\n{}";
    const { received } = await sendRaw(bench.caught.port, lines(foreign));
    expect(readStatuses(received)).toEqual([200]);
    expect(received).not.toContain("evil");
  });

  test(
    "pipelined requests get responses in order, and a rejection between them " +
      "keeps the connection if the request was read completely",
    async () => {
      const one = (id: string) =>
        `POST @ HTTP/1.1\nHost: x\nContent-Length: ${id.length + 9}\n\n{"id":"${id}"}`;
      const bad =
        "POST @ HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: 1\n\n{";
      const request = [one("p1"), one("p2"), bad, one("p1"), one("p3")].join("");
      const { received } = await sendRaw(bench.caught.port, lines(request), { until: done(4) });
      expect(readStatuses(received)).toEqual([200, 200, 400, 200, 200]);
      const states = [...received.matchAll(/"status":"(\w+)"/g)].map(([, state]) => state);
      expect(states).toEqual(["accepted", "accepted", "duplicate", "accepted"]);
    },
  );

  test("garbage after a valid request closes the connection and is not part of the response", async () => {
    const request = `POST @ HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}garbage\n\n`;
    const { received, closed } = await sendRaw(bench.caught.port, lines(request));
    expect(closed).toBe(true);
    expect(readStatuses(received).filter((status) => status !== 200)).toEqual([]);
  });

  test("100-continue is sent if the body is acceptable, and not if it is too large", async () => {
    const welcome = `${head}Expect: 100-continue\nContent-Length: 2\n\n`;
    const { received } = await sendRaw(bench.caught.port, [lines(welcome), "{}"], {
      until: done(1),
    });
    expect(readStatuses(received)).toEqual([100, 200]);
    const large = await sendRaw(
      bench.caught.port,
      lines(`${head}Expect: 100-continue\nContent-Length: 100001\n\n`),
    );
    expect([readStatuses(large.received), large.closed]).toEqual([[413], true]);
    const ambiguous = `${head}Host: y\nExpect: 100-continue\nContent-Length: 2\n\n`;
    const { received: rejected } = await sendRaw(bench.caught.port, lines(ambiguous));
    expect(readStatuses(rejected)).toEqual([400]);
  });

  test("a client that sends its whole body before reading still gets the 413", async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 120);
    const socket = connect(bench.caught.port, "127.0.0.1").on("error", () => {});
    socket.write(lines(`${head}Content-Length: ${body.length}\n\n`));
    // Not listening for data leaves the response in the kernel, where a reset would delete it.
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

describe("slow and broken clients", () => {
  test("are cut off within about 10 s, store nothing and affect no others", {
    tags: "variant",
    timeout: 300_000,
  }, async () => {
    const before = await bench.db.delivery.count({ where: { hookId: hook.id } });
    const slow = hook.path;
    const broken = Promise.all([
      sendRaw(bench.caught.port, ""),
      sendRaw(bench.caught.port, `POST ${slow} HTTP/1.1\r\nHost: x\r\n`),
      sendRaw(bench.caught.port, lines(`${head}Content-Length: 1000\n\n${"x".repeat(500)}`)),
      sendRaw(bench.caught.port, lines(`${head}Transfer-Encoding: chunked\n\n5\nhel`)),
      drip(lines(`${head}Content-Length: 90000\n\n`)),
      drip(`POST ${slow} HTTP/1.1\r\nHost: x\r\nA: `),
    ]);
    let worstMs = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        expect((await sendJson(bench.caught.port, hook.path, "[]")).status).toBe(200);
        worstMs = Math.max(worstMs, performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const results = await broken;
    isOver = true;
    await others;
    for (const { closed, elapsedMs, received } of results) {
      expect(closed).toBe(true);
      // The next limit of Node would be a minute.
      expect(elapsedMs).toBeLessThan(30_000);
      expect(readStatuses(received).every((status) => status === 408)).toBe(true);
    }
    // Behind a slow client they would wait until it is cut off.
    expect(worstMs).toBeLessThan(9_000);
    const stored = await bench.db.delivery.findMany({
      where: { hookId: hook.id },
      select: { bodySize: true },
    });
    expect(stored.length).toBeGreaterThan(before);
    expect(stored.some(({ bodySize }) => bodySize >= 500)).toBe(false);
  });

  test("a client that keeps its side open after a rejection holds no connection", async () => {
    const accepted = once(bench.caught.server, "connection") as Promise<[Socket]>;
    const socket = connect({ port: bench.caught.port, host: "127.0.0.1", allowHalfOpen: true });
    const [theirs] = await accepted;
    socket.on("error", () => {}).resume();
    socket.write("garbage\r\n\r\n");
    await once(socket, "end");
    await expect.poll(() => theirs.destroyed).toBe(true);
    socket.destroy();
  });

  test("FIN in the middle of a body: 4xx or closed, nothing stored", async () => {
    const lonely = await addHook(bench.db);
    const request = `POST ${lonely.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${"x".repeat(500)}`;
    const { received, closed, elapsedMs } = await sendRaw(bench.caught.port, request, {
      end: true,
    });
    expect(closed).toBe(true);
    // Without the FIN it would be cut off later than this.
    expect(elapsedMs).toBeLessThan(9_000);
    expect(readStatuses(received).every((status) => status === 400 || status === 408)).toBe(true);
    expect(await bench.db.delivery.count({ where: { hookId: lonely.id } })).toBe(0);
  });
});

/** Sends one byte every 200 ms. */
function drip(start: string): Promise<{ closed: boolean; elapsedMs: number; received: string }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect(bench.caught.port, "127.0.0.1", () => socket.write(start));
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
