import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPayload } from "./read-payload.ts";

const read = (text: string, contentType: string | null) =>
  readPayload(Buffer.from(text), contentType);

describe("readPayload", () => {
  test.each([
    ["application/json", "json"],
    ["application/json; charset=utf-8", "json"],
    ['Application/JSON;charset="UTF-8"', "json"],
    ["text/json", "json"],
    ["application/vnd.api+json", "json"],
    ["text/plain", "json"],
    ["", "json"],
    [null, "json"],
    ["application/xml", "json"],
    ["multipart/form-data; boundary=x", "json"],
    ["multipart/form-data", "json"],
    ["application/x-www-form-urlencoded", "json"],
    ["text/html; charset=utf-8", "json"],
    ["application/octet-stream", "json"],
    ["text/javascript", "json"],
    ["application/json, application/json", "json"],
    ["image/png", "json"],
    ["json", "json"],
  ])("%s with a JSON body is %s", (contentType, kind) => {
    expect(read('{"a":1}', contentType).kind).toBe(kind);
  });

  test("only a JSON type requires JSON", () => {
    for (const [type, code] of [
      ["application/json", "invalid_json"],
      ["text/json", "invalid_json"],
      ["text/plain", "not_json"],
      ["a/b+json", "not_json"],
      [null, "not_json"],
    ] as const) {
      expect(read("{", type)).toMatchObject({ kind: "none", code });
    }
    expect(read("", "application/json")).toMatchObject({ kind: "none", code: "empty" });
  });

  test("a form with too many fields isn't parsed, since that would block everything else", () => {
    const form = (fields: number) =>
      read(Array(fields).fill("a=1").join("&"), "application/x-www-form-urlencoded");
    expect(form(10_000)).toMatchObject({ kind: "form", value: { a: { length: 10_000 } } });
    expect(form(10_001)).toMatchObject({
      kind: "none",
      reason: expect.stringContaining("too many fields"),
    });
  });

  test("a form gives its fields, repeated ones as a list, and no name reaches a prototype", () => {
    const form = read(
      "a=1&b=2&b=3&b=4&__proto__=x&constructor=y&c",
      "application/x-www-form-urlencoded",
    );
    expect(form.kind === "form" && Object.entries(form.value)).toEqual([
      ["a", "1"],
      ["b", ["2", "3", "4"]],
      ["__proto__", "x"],
      ["constructor", "y"],
      ["c", ""],
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect("x" in {}).toBe(false);
  });

  test("a byte order mark is skipped, invalid UTF-8 is replaced and reported, the last of equal keys counts", () => {
    expect(read('\ufeff{"a":1}', null)).toMatchObject({ kind: "json", value: { a: 1 } });
    const damaged = readPayload(Buffer.from('{"a":"\xff"}', "latin1"), "application/json");
    expect(damaged).toMatchObject({ kind: "json", value: { a: "\ufffd" }, isUtf8: false });
    expect(read('{"a":1,"a":2}', null)).toMatchObject({ value: { a: 2 }, isUtf8: true });
    const own = read('{"__proto__":{"polluted":1}}', null);
    expect(own.kind === "json" && Object.keys(own.value as object)).toEqual(["__proto__"]);
  });

  test("100,000 levels and 200,000 keys are read or rejected, never thrown", () => {
    expect(["json", "none"]).toContain(
      read("[".repeat(100_000) + "]".repeat(100_000), "application/json").kind,
    );
    expect(read(`{${Array.from({ length: 200_000 }, (_, n) => `"${n}":0`)}}`, null).kind).toBe(
      "json",
    );
  });

  test("property: never throws, whatever the bytes and the type", () => {
    const type = fc.option(
      fc.oneof(
        fc.string(),
        fc.constantFrom("application/json", "application/x-www-form-urlencoded", "a+json"),
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array(), type, (bytes, contentType) => {
        expect(["json", "form", "none"]).toContain(readPayload(bytes, contentType).kind);
      }),
    );
  });
});

describe("a multipart form", () => {
  const type = 'multipart/form-data; charset=utf-8; boundary="b b"';
  const part = (name: string, text: string, more = "") =>
    `--b b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const readForm = (...parts: string[]) =>
    readPayload(Buffer.from(`preamble\r\n${parts.join("")}--b b--\r\n`), type);

  test("is its text fields; JSON fields are parsed, with all digits", () => {
    const read = readForm(
      part("json", '{"event":{"id":12345678901234567890}}'),
      part("note", "a\r\nb"),
    );
    expect(read).toMatchObject({
      kind: "json",
      text: '{"json":{"event":{"id":12345678901234567890}},"note":"a\\r\\nb"}',
      value: { note: "a\r\nb" },
    });
  });

  test("text that only looks like JSON stays text, repeated names are a list, files are skipped", () => {
    const read = readForm(
      part("a", "{not json"),
      part("b", "1"),
      part("b", "[2]"),
      part("c", "secret", '; filename="c.txt"'),
      part("__proto__", '{"polluted":1}'),
    );
    expect(read.kind === "json" && Object.keys(read.value as object)).toEqual([
      "a",
      "b",
      "__proto__",
    ]);
    expect(read).toMatchObject({ value: { a: "{not json", b: ["1", [2]] } });
  });

  test("has the names that were sent, in any language", () => {
    const read = readForm(part("Straße", "1"), part("お名前", "山田"));
    expect(read).toMatchObject({ value: { Straße: "1", お名前: "山田" } });
    const latin1 = Buffer.from(`${part("Straße", "1")}--b b--`, "latin1");
    expect(readPayload(latin1, type)).toMatchObject({ value: { Straße: "1" } });
  });

  test("has all of its fields, or is not read at all", () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => part(`f${index}`, `${index}`));
    expect(readForm(...fields)).toMatchObject({ value: { f0: "0", f999: "999" } });
    const read = readForm(...fields, part("last", "1"));
    expect(read).toMatchObject({ kind: "none", code: "too_many_fields" });
  });

  test("has names and files as its parameters say, whatever is within quotation marks", () => {
    const read = readForm(
      part("a; filename=b", "1"),
      '--b b\r\nContent-Disposition: form-data; note="; name=x"; name="y"\r\n\r\n2\r\n',
      '--b b\r\nContent-Disposition: form-data; name="file"; filename=\r\n\r\n3\r\n',
    );
    expect(read).toMatchObject({ text: '{"a; filename=b":"1","y":"2"}' });
  });

  test("has JSON with a file name as a field, and other files not", () => {
    const typed = (name: string, type: string, text: string) =>
      `--b b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.bin"\r\n` +
      `Content-Type: ${type}\r\n\r\n${text}\r\n`;
    const read = readForm(
      typed("event", "application/json; charset=utf-8", '{"id":12345678901234567890}'),
      typed("ld", "application/ld+json", "[1]"),
      typed("broken", "application/json", "{"),
      typed("photo", "image/png", '{"id":2}'),
      typed("text", "text/plain", "[1]"),
    );
    expect(read).toMatchObject({
      text: '{"event":{"id":12345678901234567890},"ld":[1],"broken":"{"}',
    });
  });

  test("may have names without quotation marks, as .NET sends them", () => {
    const read = readForm(
      "--b b\r\nContent-Disposition: form-data; name=amount\r\n\r\n12.50\r\n",
      "--b b\r\nContent-Disposition: form-data; filename=a.pdf; name=file\r\n\r\n%PDF\r\n",
    );
    expect(read).toMatchObject({ kind: "json", value: { amount: "12.50" } });
  });

  test("without a boundary, without fields, or truncated it isn't one, and never throws", () => {
    expect(readPayload(Buffer.from("x"), "multipart/form-data").kind).toBe("none");
    expect(readPayload(Buffer.from("--b b"), type).kind).toBe("none");
    expect(readPayload(Buffer.from("--b b\r\n".repeat(100_000)), type).kind).toBe("none");
    expect(readForm(part("a", "[".repeat(100_000))).kind).toBe("json");
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(["json", "none"]).toContain(
          readPayload(Buffer.concat([Buffer.from("--b b"), bytes]), type).kind,
        );
      }),
    );
  });
});
