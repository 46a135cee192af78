import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { send, type TestResponse } from "#server/testing/catch-harness.ts";
import { tortureCases } from "#server/testing/json-torture.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
let hook: TestHook;
beforeAll(async () => {
  hook = await addHook(bench.db);
});

/** Sends the bytes and reads them back. */
async function sendAndRead(
  bytes: Buffer,
  headers: Record<string, string> = {},
  to: TestHook = hook,
) {
  const response = await send(bench.caught.port, to.path, { body: new Uint8Array(bytes), headers });
  const rows = await bench.db.$queryRaw<
    { body: Uint8Array; status: string; reason: string | null; event_id: string | null }[]
  >`
    select body, status, reason, event_id from deliveries where hook_id = ${to.id}::uuid order by id desc limit 1`;
  return { response, row: rows[0], isSame: rows[0] !== undefined && bytes.equals(rows[0].body) };
}

test.each([
  ["every byte", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["CRLF at the end", Buffer.from('{"a":1}\r\n')],
  ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ["a byte-order mark", Buffer.from('\ufeff{"id":"bom"}')],
  ["NULs", Buffer.alloc(1_000)],
  ["backslashes and quotes", Buffer.from('\\x41\\\\"\\"\\000')],
  ["one byte", Buffer.from([0])],
  ["nothing", Buffer.alloc(0)],
])("%s is stored byte for byte", async (_name, bytes) => {
  const { response, isSame } = await sendAndRead(bytes, {
    "content-type": "application/octet-stream",
  });
  expect([response.status, isSame]).toEqual([200, true]);
});

test("10 MiB of binary are stored byte for byte, next to small bodies in the same batch", async () => {
  const other = await addHook(bench.db);
  const large = Buffer.alloc(10 * 1024 * 1024, Buffer.from("\0\xff\\x\r\n\"'", "latin1"));
  const small = Array.from({ length: 30 }, (_, index) => Buffer.from(`small ${index}`));
  const octets = { "content-type": "application/octet-stream" };
  // A machine that needs more than 5 s to store 10 MiB says so, and providers send it again.
  const deliver = async (body: Buffer): Promise<TestResponse> => {
    const sent = { body: new Uint8Array(body), headers: octets };
    const response = await send(bench.caught.port, other.path, sent);
    return response.status === 503 ? await deliver(body) : response;
  };
  const responses = await Promise.all([large, ...small].map(deliver));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  for (const [index, body] of [large, ...small].entries()) {
    const row = await bench.db.delivery.findUniqueOrThrow({
      where: { id: responses[index]?.json.deliveryId ?? "" },
    });
    expect(body.equals(row.body)).toBe(true);
    expect(row.bodySize).toBe(body.length);
  }
});

test("JSON of every kind: no 5xx, y accepted, n rejected, and the stored bytes are those sent", {
  timeout: 300_000,
}, async () => {
  expect(tortureCases.length).toBeGreaterThan(180);
  const strange: string[] = [];
  const take = async ([kind, bytes]: (typeof tortureCases)[number]): Promise<void> => {
    // Each case has its own hook, so that the number of recorded rejections isn't exhausted.
    const own = await addHook(bench.db, { dedupe: null });
    const { response, row, isSame } = await sendAndRead(
      bytes,
      { "content-type": "application/json" },
      own,
    );
    // An empty body is stored, whatever its type: some providers send empty pings.
    const expected = kind === "y" || bytes.length === 0 ? [200] : kind === "n" ? [400] : [200, 400];
    const status = response.status === 200 ? "accepted" : "rejected";
    if (!expected.includes(response.status) || !isSame || row?.status !== status) {
      strange.push(`${kind} ${response.status} ${isSame} ${bytes.subarray(0, 60)}`);
    }
  };
  const left = tortureCases.values();
  // What arrives at the same time is stored together.
  const takeTurns = async () => {
    for (const one of left) await take(one);
  };
  await Promise.all(Array.from({ length: 8 }, takeTurns));
  expect(strange).toEqual([]);
});

test.each([
  ["application/vnd.api+json", '{"id":"v1"}', "v1"],
  ["application/vnd.api+json", "{not json", null],
  ["text/plain", '{"id":"v2"}', "v2"],
  ["application/x-www-form-urlencoded", "id=v3&a=%FF", "v3"],
  [
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\nv5\r\n--x--',
    "v5",
  ],
  ["application/xml", "<id>v8</id>", "v8"],
  ["application/xml", "<id>v9", null],
  ["image/png", '{"id":"lying"}', "lying"],
  ["application/x-www-form-urlencoded", '{"id":"v6"}', "v6"],
  ["text/html", '{"id":"v7"}', "v7"],
  ["application/octet-stream", "not JSON", null],
  ["", '{"id":"v4"}', "v4"],
])("%s is stored, and read where possible", async (contentType, body, eventId) => {
  const { response, row, isSame } = await sendAndRead(Buffer.from(body), {
    "content-type": contentType,
  });
  expect([response.json.status, isSame, row?.event_id ?? null]).toEqual([
    "accepted",
    true,
    eventId,
  ]);
});

test(
  "a compressed body is stored as sent and identified by its " +
    "content, and a bomb costs nothing and is no error",
  async () => {
    const json = Buffer.from('{"id":"packed"}');
    const packed = [
      ["gzip", gzipSync(json)],
      ["br", brotliCompressSync(json)],
      ["deflate", deflateSync(json)],
    ] as const;
    for (const [encoding, bytes] of packed) {
      const own = await addHook(bench.db);
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const { response, row, isSame } = await sendAndRead(bytes, headers, own);
      expect([response.json.status, isSame, row?.event_id]).toEqual(["accepted", true, "packed"]);
    }
    const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    const bomb = brotliCompressSync(Buffer.alloc(100 * 1024 * 1024), fast);
    expect(bomb.length).toBeLessThan(1_000);
    for (const encoding of ["br", "gzip", "zstd", "gzip, br", "identity"]) {
      const { response, isSame } = await sendAndRead(bomb, { "content-encoding": encoding });
      expect([response.status, isSame]).toEqual([200, true]);
    }
  },
);
