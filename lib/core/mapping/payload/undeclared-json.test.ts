import { describe, expect, test } from "vitest";
import { readDeclared, readPayload } from "./read-payload.ts";

const read = (text: string, contentType: string | null) =>
  readPayload(Buffer.from(text), contentType);
const form = "application/x-www-form-urlencoded";

describe("JSON that isn't declared as such", () => {
  test.each([
    [form, '{"a":"b=c&d=%41+e"}', { a: "b=c&d=%41+e" }],
    [form, ' \r\n[{"id":1}]', [{ id: 1 }]],
    [form, "%7B%22a%22%3A%5B1%5D%7D", { a: [1] }],
    [form, '{"a":1}=', { a: 1 }],
    [form, "=%7B%22a%22%3A1%7D", { a: 1 }],
    ["text/html", '\ufeff{"a":1}', { a: 1 }],
    [form, "%EF%BB%BF%7B%22a%22%3A1%7D", { a: 1 }],
    ["text/xml", '[1,"x"]', [1, "x"]],
    ["text/plain", "null", null],
    ["application/octet-stream", "12", 12],
    ["multipart/form-data; boundary=b", '{"a":"--b"}', { a: "--b" }],
  ])("is JSON under %s: %s", (type, text, value) => {
    expect(read(text, type)).toMatchObject({ kind: "json", value, isUtf8: true });
    expect(readDeclared(Buffer.from(text), type)).toMatchObject({
      payload: { kind: "json", value },
      isDamaged: false,
    });
  });

  test.each([
    [form, "[0]=a&[1]=b", { "[0]": "a", "[1]": "b" }],
    [form, "{a=1&b={", { "{a": "1", b: "{" }],
    [form, "12", { 12: "" }],
    [form, "%7B%22a%22%3A1%7D=x", { '{"a":1}': "x" }],
  ])("is a form if it is one: %s: %s", (type, text, value) => {
    expect(read(text, type)).toMatchObject({ kind: "form", value });
  });

  test.each([
    ["text/html", "<p>1</p>", "unsupported_type"],
    ["text/html", '{"a":', "not_json"],
    ["application/octet-stream", `-${"1".repeat(2_000)}`, "unsupported_type"],
    ["text/xml", "words", "invalid_xml"],
    ["text/xml", "{", "invalid_xml"],
    ["text/plain", "words", "not_json"],
  ])("%s %s has no payload", (type, text, code) => {
    expect(read(text, type)).toMatchObject({ kind: "none", code });
  });
});

describe("a JSON text per line", () => {
  test.each([
    ["application/x-ndjson", '{"a":1.10}\n{"a":2}\n', '[{"a":1.10},{"a":2}]'],
    ["application/jsonl; charset=utf-8", '{"a":1}\r\n\r\n[2]', '[{"a":1},[2]]'],
    ["application/ndjson", "1\r2", "[1,2]"],
    ["application/json-seq", '\x1e{"a":1}\n\x1e{\n"b":2}\n', '[{"a":1}\n,{\n"b":2}\n]'],
    ["application/geo+json-seq", '\x1e{"a":1}\n', '[{"a":1}\n]'],
    ["application/x-jsonlines", '{"only":"one"}', '[{"only":"one"}]'],
    ["application/stream+json", '{\n"several": "lines"\n}', '[{\n"several": "lines"\n}]'],
  ])("is a list under %s: %j", (type, text, list) => {
    expect(read(text, type)).toMatchObject({ kind: "json", text: list, value: JSON.parse(list) });
  });

  test("isn't a list if a line isn't JSON, and never too long a list", () => {
    expect(read('{"a":1}\n{"a":', "application/x-ndjson")).toMatchObject({ code: "not_json" });
    expect(read("1\n".repeat(100_001), "application/jsonl")).toMatchObject({
      code: "too_many_fields",
    });
  });
});

describe("a form field that holds JSON", () => {
  test("is its value with all digits, beside fields that are text", () => {
    const event = '{"id":12345678901234567890,"n":[1.10]}';
    const body = new URLSearchParams([
      ["payload", event],
      ["note", "{not json"],
      ["n", "1"],
      ["many", "[1]"],
      ["many", "x"],
      ["__proto__", '{"polluted":1}'],
    ]);
    const payload = read(`${body}`, form);
    expect(payload).toMatchObject({
      kind: "form",
      text: `{"payload":${event},"note":"{not json","n":"1","many":[[1],"x"],"__proto__":{"polluted":1}}`,
      fields: { payload: event, many: ["[1]", "x"] },
    });
    expect(payload.kind === "form" && Object.keys(payload.value)).toContain("__proto__");
    expect("polluted" in {}).toBe(false);
  });

  const event = '{"type":"block_actions","id":12345678901234567890}';
  const inForm = `${new URLSearchParams({ payload: event })}`;
  const inParts = `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${event}\r\n--b--`;

  test.each([
    [form, inForm],
    [form, `${inForm}&other=1`],
    [`${form}; charset=utf-8`, `payload=${event}`],
    ["multipart/form-data; boundary=b", inParts],
    ["application/json", event],
  ])("is the payload, if the provider says so: %s", (type, text) => {
    const payload = readPayload(Buffer.from(text), type, "payload");
    expect(payload).toMatchObject({ kind: "json", text: event, value: { type: "block_actions" } });
    expect(readDeclared(Buffer.from(text), type, "payload").payload).toEqual(payload);
  });

  test.each([
    "command=%2Fweather&text=94070",
    "payload=text",
    "payload=%7B%7D&payload=%7B%7D",
    "payload",
  ])("is a field otherwise: %s", (text) => {
    expect(readPayload(Buffer.from(text), form, "payload").kind).toBe("form");
  });
});

test("JSON in a field of a form is its value, also after a byte order mark", () => {
  const value = { payload: { a: 1 }, b: "x" };
  expect(read("payload=%EF%BB%BF%7B%22a%22%3A1%7D&b=x", form)).toMatchObject({ value });
});
