import { expect, test } from "vitest";
import { readTextBody } from "./text-of-body.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const latin1 = Buffer.from("Ungültig: Käufer fehlt, bitte prüfen", "latin1");

test.each([
  ["JSON", Buffer.from('{"a":"é"}'), "application/json", '{"a":"é"}'],
  ["text that is cut in a character", Buffer.from("aé").subarray(0, 2), "text/plain", "a"],
  ["nothing", Buffer.alloc(0), "image/png", ""],
  ["UTF-8 under another type", Buffer.from("é"), "application/octet-stream", "é"],
  ["text in its charset", latin1, "text/html; charset=iso-8859-1", latin1.toString("latin1")],
  ["UTF-16", Buffer.from('{"a":1}', "utf16le"), "application/json", '{"a":1}'],
  [
    "an error page in a charset that isn't declared",
    latin1,
    "text/html",
    latin1.toString("latin1").replaceAll(/[^\0-\x7f]/g, "\ufffd"),
  ],
  ["a U+FFFD that was sent", Buffer.from("\ufffd"), "image/png", "\ufffd"],
  ["an image", png, "image/png", null],
  ["an image without a type", png, null, null],
  ["an image whose type is wrong", png, "application/json", null],
  ["an image with a charset that its server adds", png, "image/png;charset=ISO-8859-1", null],
  ["bytes without zeros", Buffer.alloc(99, 0x89), "application/octet-stream", null],
  ["compressed JSON", Buffer.from("1f8b0800000000000003ab56ca", "hex"), "application/json", null],
  ["a single byte", Buffer.of(0xff), null, null],
])("of %s", (_what, body, type, text) => {
  expect(readTextBody(body, type)).toBe(text);
});
