import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeBody, maxDecodedBytes } from "./decode-body.ts";

const text = Buffer.from('{"a":"é"}');

test.each([
  [null, text],
  ["", text],
  ["identity", text],
  ["gzip", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  [" GZIP ", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["br", brotliCompressSync(text)],
])("%s is decoded", async (encoding, bytes) => {
  const decoded = await decodeBody(bytes, encoding);
  expect(decoded.ok && Buffer.from(decoded.bytes).equals(text)).toBe(true);
});

test.each(["zstd", "compress", "gzip, gzip", "gzip;q=1", "x".repeat(5_000)])(
  "%s is rejected with a short reason",
  async (encoding) => {
    const decoded = await decodeBody(gzipSync(text), encoding);
    expect(decoded).toMatchObject({ ok: false, message: expect.stringContaining("not supported") });
    expect(decoded.ok || decoded.message.length).toBeLessThan(120);
  },
);

test("wrongly declared or truncated bodies are rejected", async () => {
  for (const encoding of ["gzip", "deflate", "br"]) {
    expect(await decodeBody(Buffer.from("nonsense"), encoding)).toMatchObject({ ok: false });
    expect(await decodeBody(Buffer.alloc(0), encoding)).toMatchObject({ ok: false });
  }
  expect(await decodeBody(gzipSync(text).subarray(0, -9), "gzip")).toMatchObject({ ok: false });
});

test("a body that expands beyond the limit is rejected, one of exactly the limit isn't", async () => {
  const over = Buffer.alloc(maxDecodedBytes + 1);
  const pack = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: (bytes: Buffer) => brotliCompressSync(bytes, fast),
  };
  for (const [encoding, compress] of Object.entries(pack)) {
    const bomb = compress(over);
    expect(bomb.length).toBeLessThan(20_000);
    expect(await decodeBody(bomb, encoding)).toMatchObject({
      ok: false,
      message: expect.stringContaining("10 MiB"),
    });
  }
  const decoded = await decodeBody(gzipSync(over.subarray(1)), "gzip");
  expect(decoded.ok && decoded.bytes.byteLength).toBe(maxDecodedBytes);
});

// Quality level: the default takes a second for 10 MiB.
const fast = { params: { 1: 1 } };
