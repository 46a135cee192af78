import { expect, test } from "vitest";
import { readUnpacked } from "#lib/core/mapping/payload/read-by-bytes.ts";
import { readEvents } from "./read-events.ts";

const form = "application/x-www-form-urlencoded";
const latin1 = (text: string) => Buffer.from(text, "latin1");
const multipart = (type: string) =>
  latin1(
    `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: ${type}\r\n\r\nM\xfcller\r\n--b--`,
  );

function read(body: Buffer, contentType: string, isVerified = false) {
  const publish = { eventType: null, recipientPath: null, content: null };
  const source = { dedupe: [{ from: "body", path: "a" }], eventType: [], batch: null } as const;
  const rules = { ...source, payloadField: null, isIdentitySigned: true, publish };
  const input = { rules, isVerified, headers: {}, body };
  const unpacked = { bytes: body, decoded: { ok: true, bytes: body } } as const;
  const events = readEvents(input, readUnpacked(unpacked, contentType, null), undefined);
  if (events.invalid !== null) throw new Error(events.invalid);
  return events.whole;
}

test.each([
  ["application/json; charset=iso-8859-1", latin1('{"a":"M\xfcller"}'), "M\xfcller"],
  ["application/json; charset=iso-8859-1", Buffer.from('{"a":"M\xfcller"}'), "M\xfcller"],
  ["application/json; charset=utf-8", Buffer.from('{"a":"M\xfcller"}'), "M\xfcller"],
  ["application/json", latin1('{"a":"M\xfcller"}'), "M\ufffdller"],
  [`${form}; charset=windows-1252`, latin1("a=M%FCller"), "M\xfcller"],
  ["multipart/form-data; boundary=b", multipart("text/plain; charset=iso-8859-1"), "M\xfcller"],
])("%s is published as it was meant", (contentType, body, expected) => {
  for (const isVerified of [false, true])
    expect(read(body, contentType, isVerified).published?.dataJson).toBe(`{"a":"${expected}"}`);
});

test("an id doesn't follow the charset, which no signature covers", () => {
  const body = latin1('{"a":"M\xfcller"}');
  const ids = ["application/json", "application/json; charset=iso-8859-1"].map(
    (type) => read(body, type, true).keyHash,
  );
  expect(ids[0]).toEqual(ids[1]);
  expect(ids[0]).not.toBeNull();
});
