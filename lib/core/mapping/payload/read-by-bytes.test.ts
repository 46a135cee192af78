import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readByBytes, unpackBody } from "./read-by-bytes.ts";
import { readPayload } from "./read-payload.ts";

const read = (text: string, contentType: string | null, payloadField: string | null = null) => {
  const bytes = Buffer.from(text);
  const payload = readPayload(bytes, contentType, payloadField);
  return readByBytes({ bytes, contentType, payloadField, payload });
};
const types = [
  "application/json",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  null,
];

test.each(types)("JSON is JSON, declared as %s", (type) => {
  expect(read('\ufeff \r\n{"id":1.10}', type)).toMatchObject({ kind: "json", value: { id: 1.1 } });
  expect(read('[{"id":2}]', type)).toMatchObject({ kind: "json", value: [{ id: 2 }] });
});

test.each(types.slice(1))(
  "a form is a form, and its parts are its parts, declared as %s",
  (type) => {
    expect(read("id=a%20b&x=1", type)).toMatchObject({
      kind: "form",
      value: { id: "a b", x: "1" },
    });
    const parts = '--b1\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n--b1--\r\n';
    expect(read(parts, type)).toMatchObject({ kind: "json", value: { id: "7" } });
  },
);

const event = '{"id":12345678901234567890}';
const single = [
  event,
  `\ufeff${event}`,
  `payload=${encodeURIComponent(event)}`,
  `payload=${event}`,
  `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${event}\r\n--b--\r\n`,
  `${encodeURIComponent(event)}`,
  `${event}=`,
];

test.each(single)("an event has the same id whatever its header says: %j", (text) => {
  for (const type of [
    ...types.slice(text.startsWith("{") && text.endsWith("}") ? 0 : 1),
    "text/xml",
  ])
    expect([type, read(text, type, "payload")]).toEqual([
      type,
      expect.objectContaining({ kind: "json", text: expect.stringMatching(/^.?\{"id":\d{20}\}$/) }),
    ]);
});

test("lines are the same list whatever the header says", () => {
  for (const type of ["application/x-ndjson", "text/plain", "text/xml", null])
    expect([type, read('{"id":1}\n{"id":2}', type)]).toMatchObject([
      type,
      { kind: "json", value: [{ id: 1 }, { id: 2 }] },
    ]);
});

test.each([
  "<a href='?x=1&id=5'>",
  "total=5 of id=6",
  "--",
  "-- no boundary",
  "{nope",
  "",
  "words",
])("%j has no id", (text) => {
  expect(read(text, "text/html").kind).toBe("none");
});

test("compressed bodies are recognized by magic bytes if the header is missing or wrong", async () => {
  const packed = gzipSync("text");
  for (const encoding of [null, "gzip", "br", "identity", "unheard-of"]) {
    const { bytes } = await unpackBody(packed, encoding);
    expect(Buffer.from(bytes).toString()).toBe("text");
  }
  const broken = Buffer.concat([packed.subarray(0, 12), Buffer.from("x")]);
  expect((await unpackBody(broken, null)).bytes).toBe(broken);
});
