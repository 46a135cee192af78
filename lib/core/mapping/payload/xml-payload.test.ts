import { describe, expect, test } from "vitest";
import { readByBytes } from "./read-by-bytes.ts";
import { readDeclared, readPayload } from "./read-payload.ts";

const types = [
  "text/xml",
  "application/xml; charset=utf-8",
  'application/soap+xml; charset=utf-8; action="urn:x"',
  "application/atom+xml",
  "APPLICATION/XML",
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/x-ndjson",
  null,
];

test.each(types)("XML is XML, declared as %s", (type) => {
  const body = Buffer.from('<order id="7"><total>1.10</total></order>');
  expect(readPayload(body, type)).toEqual({
    kind: "json",
    text: '{"order":{"@id":"7","total":"1.10"}}',
    value: { order: { "@id": "7", total: "1.10" } },
    isUtf8: true,
  });
});

describe("text is read by a byte order mark, the header, or the declaration", () => {
  const utf16 = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>';
  const le = Buffer.from(utf16, "utf16le");
  const be = Buffer.from(utf16, "utf16le").swap16();
  const ofLatin1 = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1");
  const ofSjis = Buffer.concat([
    Buffer.from("<?xml version='1.0' encoding='Shift_JIS'?><a>"),
    Buffer.from([0x8e, 0x52]),
    Buffer.from("</a>"),
  ]);
  test.each([
    ["UTF-16, little-endian", le, "text/xml", "é"],
    ["UTF-16, big-endian", be, "text/xml", "é"],
    ["with a mark", Buffer.from([0xff, 0xfe, ...le]), "text/xml; charset=iso-8859-1", "é"],
    ["with a mark, big-endian", Buffer.from([0xfe, 0xff, ...be]), null, "é"],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${utf16.replace("UTF-16", "x")}`), "text/xml", "é"],
    ["UTF-8 that says UTF-16", Buffer.from(utf16), "application/xml", "é"],
    ["the declaration", ofLatin1, "text/xml", "é"],
    ["the declaration, of several bytes", ofSjis, "application/xml", "山"],
    ["the header", Buffer.from("<a>é</a>", "latin1"), "text/xml; charset=iso-8859-1", "é"],
    ["UTF-8 whatever is declared", Buffer.from("<a>é</a>"), "text/xml; charset=iso-8859-1", "é"],
    ["blanks before it", Buffer.from("\r\n <?xml version='1.0'?><a>é</a>"), "text/plain", "é"],
  ])("%s", (_what, body, type, text) => {
    expect(readDeclared(body, type)).toMatchObject({
      payload: { kind: "json", value: { a: text }, isUtf8: true },
      isDamaged: false,
    });
  });

  test("bytes that are no text are reported", () => {
    const body = Buffer.from("<a>é</a>", "latin1");
    expect(readDeclared(body, "text/xml")).toMatchObject({
      payload: { value: { a: "\ufffd" }, isUtf8: false },
      isDamaged: true,
    });
  });
});

test.each([
  ["text/xml", "<a>", "invalid_xml", /can't be read: line 1, column 3: unclosed tag: a\./],
  ["text/plain", '<?xml version="1.0"?><a>', "invalid_xml", /can't be read: line 1/],
  ["application/xml", "<!DOCTYPE a><a/>", "invalid_xml", /DOCTYPE/],
  ["application/xml", "words", "invalid_xml", /isn't XML, although/],
  ["text/plain", "<a>", "not_json", /isn't JSON/],
  ["application/octet-stream", "<a", "unsupported_type", /neither JSON, XML, nor a form/],
  ["text/html", "<!doctype html><p>1</p>", "unsupported_type", /neither/],
  ["text/html", "<p>1</p>", "unsupported_type", /neither/],
  ["application/json", "<a/>", "invalid_json", /isn't valid JSON, although/],
])("%s %s says why it has no payload", (type, text, code, reason) => {
  expect(readPayload(Buffer.from(text), type)).toEqual({
    kind: "none",
    code,
    reason: expect.stringMatching(reason),
  });
});

test("a form that begins like XML is a form", () => {
  const form = "application/x-www-form-urlencoded";
  expect(readPayload(Buffer.from("<a>=1&b=2"), form)).toMatchObject({
    value: { "<a>": "1", b: "2" },
  });
});

test("signed XML has the same id whatever its header says", () => {
  for (const text of ["<a><id>7</id></a>", "\ufeff<?xml version='1.0'?><a><id>7</id></a>"]) {
    for (const contentType of [...types, "text/html", "text/xml; charset=utf-16"]) {
      const bytes = Buffer.from(text);
      const payload = readPayload(bytes, contentType);
      const read = readByBytes({ bytes, contentType, payloadField: null, payload });
      expect([contentType, read]).toMatchObject([contentType, { value: { a: { id: "7" } } }]);
    }
  }
});
