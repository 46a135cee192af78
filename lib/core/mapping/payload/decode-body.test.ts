import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
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
  ["deflate", deflateRawSync(text)],
  ["br", brotliCompressSync(text)],
  ["zstd", zstdCompressSync(text)],
  ["gzip;q=1", gzipSync(text)],
  ["gzip, gzip", gzipSync(gzipSync(text))],
  ["deflate, br", brotliCompressSync(deflateSync(text))],
  ["identity, zstd,", zstdCompressSync(text)],
  ["gzip, utf-8", gzipSync(text)],
  ["utf-8", text],
  ["none", text],
  ["UTF8", text],
  ["binary", text],
  ["application/json", text],
  ["x".repeat(5_000), text],
])("%s is decoded", async (encoding, bytes) => {
  const decoded = await decodeBody(bytes, encoding);
  expect(decoded.ok && Buffer.from(decoded.bytes).equals(text)).toBe(true);
});

test.each(["compress", "x-compress", "aes128gcm", "dcz", "exi, gzip"])(
  "%s is rejected with a short reason",
  async (encoding) => {
    const decoded = await decodeBody(gzipSync(text), encoding);
    expect(decoded).toMatchObject({
      ok: false,
      message: expect.stringContaining("not supported"),
    });
    expect(decoded.ok || decoded.message.length).toBeLessThan(120);
  },
);

test("wrongly declared or truncated bodies are rejected", async () => {
  for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, br"]) {
    expect(await decodeBody(Buffer.from("nonsense"), encoding)).toMatchObject({ ok: false });
    expect(await decodeBody(Buffer.alloc(0), encoding)).toMatchObject({ ok: false });
  }
  expect(await decodeBody(gzipSync(text).subarray(0, -9), "gzip")).toMatchObject({ ok: false });
});

test("a body that expands beyond the limit is rejected, one of exactly the limit isn't", {
  tags: "variant",
}, async () => {
  const over = Buffer.alloc(maxDecodedBytes + 1);
  const pack = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: (bytes: Buffer) => brotliCompressSync(bytes, fast),
    zstd: zstdCompressSync,
    "deflate, gzip": (bytes: Buffer) => gzipSync(deflateSync(bytes)),
  };
  for (const [encoding, compress] of Object.entries(pack)) {
    const bomb = compress(over);
    expect(bomb.length).toBeLessThan(20_000);
    expect(await decodeBody(bomb, encoding)).toMatchObject({
      ok: false,
      message: expect.stringContaining("10 MiB"),
    });
  }
  expect(await decodeBody(gzipSync(text), "gzip, gzip, gzip, gzip, gzip")).toMatchObject({
    ok: false,
    message: expect.stringContaining("more than 4"),
  });
  const decoded = await decodeBody(gzipSync(over.subarray(1)), "gzip");
  expect(decoded.ok && decoded.bytes.byteLength).toBe(maxDecodedBytes);
});

// Quality level: the default takes a second for 10 MiB.
const fast = { params: { 1: 1 } };
