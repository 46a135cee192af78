import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readByBytes, unpackBody } from "./read-by-bytes.ts";
import { readPayload } from "./read-payload.ts";

const read = (text: string, contentType: string | null) => {
  const body = Buffer.from(text);
  return readByBytes({ bytes: body, contentType, payload: readPayload(body, contentType) });
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
