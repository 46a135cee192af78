import { expect, test } from "vitest";
import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { readDeclared, readPayload } from "./read-payload.ts";

const form = "application/x-www-form-urlencoded";
const part = (head: string) => `--b\r\nContent-Disposition: form-data; name="a"${head}\r\n\r\n`;

const charsets = (json: string) => `${part("").replace('"a"', '"charsets"')}${json}\r\n`;

async function render(source: string, contentType: string, body: Uint8Array): Promise<unknown> {
  const delivery: DeliveryView = {
    id: "d",
    receivedAtMs: 0,
    method: "POST",
    path: "/",
    query: "",
    headers: [["Content-Type", contentType]],
    contentType,
    eventId: null,
    eventType: null,
    isSample: false,
    body,
  };
  const context = await readDeliveryContext(delivery, {
    id: "h",
    name: "A hook",
    payloadField: null,
  });
  const rendered = renderString(source, { context, nowMs: 0 });
  return rendered.ok ? rendered.value : rendered.messages;
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["application/json; charset=iso-8859-1", latin1('{"a":"Müller"}'), "Müller"],
  ['application/json;charset="ISO-8859-1"', latin1('{"a":"Müller"}'), "Müller"],
  ["application/json; charset=windows-1252", latin1('{"a":"5 \x80"}'), "5 €"],
  ["application/json; charset=utf-16le", Buffer.from('{"a":"Müller"}', "utf16le"), "Müller"],
  ["application/json; charset=shift_jis", latin1('{"a":"\x83e\x83X\x83g"}'), "テスト"],
  [`${form}; charset=windows-1252`, latin1("a=M%FCller+%80"), "Müller €"],
  [`${form}; charset=windows-1252`, latin1("a=M\xfcller+%26%3D"), "Müller &="],
  [
    "multipart/form-data; boundary=b; charset=iso-8859-1",
    latin1(`${part("")}M\xfcller\r\n--b--`),
    "Müller",
  ],
  [
    "multipart/form-data; boundary=b",
    latin1(`${part("\r\nContent-Type: text/plain; charset=ISO-8859-1")}M\xfcller\r\n--b--`),
    "Müller",
  ],
  ["application/json; charset=iso-8859-1", Buffer.from('{"a":"Müller"}'), "Müller"],
  [`${form}; charset=iso-8859-1`, Buffer.from("a=M%C3%BCller"), "Müller"],
  ["application/json; charset=nonsense", Buffer.from('{"a":"Müller"}'), "Müller"],
  ["application/json", Buffer.from('{"a":"\ufffd"}'), "\ufffd"],
  ["application/json", Buffer.from('\ufeff{"a":"Müller"}', "utf16le"), "Müller"],
  ["application/json", Buffer.from('{"a":"Müller"}', "utf16le"), "Müller"],
  ["text/plain", Buffer.from('\ufeff{"a":"Müller"}', "utf16le").swap16(), "Müller"],
  [
    "application/json; charset=utf-16",
    Buffer.from(' {"a":"Müller"}', "utf16le").swap16(),
    "Müller",
  ],
  ["application/json; charset=utf-16", Buffer.from('{"a":"Müller"}'), "Müller"],
  [form, latin1("_charset_=windows-1252&a=M%FCller+%80"), "Müller €"],
  [form, latin1("a=%83e%83X%83g&_charset_=Shift_JIS"), "テスト"],
  [form, Buffer.from("a=M%C3%BCller&_charset_=nonsense"), "Müller"],
  [
    "multipart/form-data; boundary=b",
    latin1(`${part("")}M\xfcller\r\n${charsets('{"a":"iso-8859-1","b":"UTF-8"}')}--b--`),
    "Müller",
  ],
  [
    "multipart/form-data; boundary=b",
    latin1(`${part("").replace('"a"', '"_charset_"')}latin1\r\n${part("")}M\xfcller\r\n--b--`),
    "Müller",
  ],
  [form, Buffer.from("charsets=%7B%22a%22%3A%22windows-1252%22%7D&a=%80"), "€"],
  [form, Buffer.from("a=%EF%BF%BD"), "\ufffd"],
])("a body of %s is sent as it was meant", async (contentType, body, expected) => {
  expect(await render("{{ payload.a }}", contentType, body)).toBe(expected);
  expect(readDeclared(body, contentType)).toMatchObject({
    payload: { value: { a: expected } },
    isDamaged: false,
  });
});

test.each([
  ["application/json", latin1('{"a":"Müller","id":1}')],
  ["application/json; charset=nonsense", latin1('{"a":"Müller","id":1}')],
  ["application/json; charset=shift_jis", latin1('{"a":"\x81","id":1}')],
  [form, latin1("a=M%FCller&id=1")],
  [form, latin1("a=M\xfcller&id=1")],
  [
    "multipart/form-data; boundary=b",
    latin1(`${part("")}M\xfcller\r\n${part("").replace('"a"', '"id"')}1\r\n--b--`),
  ],
])("bytes of %s that are no text fail where they would be sent", async (contentType, body) => {
  const fails = [expect.stringContaining("has bytes that are not text in the character set")];
  for (const source of [
    "{{ payload.a }}",
    "x {{ payload.a }}",
    "{{ payload }}",
    "{{ payload.a | url_encode }}",
    '{{ payload.a | default: "x" }}',
    "{% for field in payload %}{{ field[0] }}{% endfor %}",
  ])
    expect([source, await render(source, contentType, body)]).toEqual([source, fails]);
  expect(String(await render("{{ payload.id }}", contentType, body))).toBe("1");
  expect(await render("{{ hook.name }}", contentType, body)).toBe("A hook");
  expect(await render("{{ headers.content-type }}", contentType, body)).toBe(contentType);
});

test("what identifies an event doesn't follow a charset, which no signature covers", () => {
  const body = latin1('{"id":"Müller"}');
  const read = (charset: string) => readPayload(body, `application/json${charset}`);
  expect(read("; charset=iso-8859-1")).toEqual(read(""));
});
