import { expect, test } from "vitest";
import { showMultipart } from "./show-multipart.ts";

const disposition = "Content-Disposition: form-data";
const octets = "Content-Type: application/octet-stream";
/** A body with the content of a file. */
const form = (content: string | Uint8Array) =>
  Buffer.concat([
    Buffer.from(`--b\r\n${disposition}; name="ü"\r\n\r\na\r\nb\r\n--b\r\n`),
    Buffer.from(`${disposition}; name="f"; filename="山.bin"\r\n${octets}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(`\r\n--b\r\n${disposition}; name="g"; filename="g.txt"\r\n\r\n<é>\r\n--b--\r\n`),
  ]);

test("of files that aren't text, the size is shown, and everything else as it is sent", () => {
  const body = form(Uint8Array.of(0xff, 13, 10, 0));
  const shown = showMultipart(body, "multipart/form-data; boundary=b");
  expect(shown).toBe(form("[binary, 4 bytes]").toString());
});

const jpeg = Buffer.concat([Buffer.of(0xff, 0xd8, 13, 10, 45, 45), Buffer.alloc(1_228, 0xe0)]);
test.each<[string, Uint8Array, string, string]>([
  ["a quoted boundary", form(jpeg), 'Multipart/Form-Data; charset=x; boundary="b"', "1,234 bytes"],
  ["another kind of multipart", form(jpeg), "multipart/related; boundary=b; type=a", "1,234 bytes"],
  ["one byte", form(Uint8Array.of(0x80)), "multipart/form-data; boundary=b", "1 byte"],
  ["half a character", form(Uint8Array.of(0x61, 0xc3)), "multipart/mixed; boundary=b", "2 bytes"],
])("of %s, too", (_what, body, contentType, size) => {
  expect(showMultipart(body, contentType)).toBe(form(`[binary, ${size}]`).toString());
});

test.each<[string, Uint8Array, string]>([
  ["no end", form(jpeg).subarray(0, -40 - 23), "[binary, 1,234 bytes]"],
  ["no head", Buffer.concat([Buffer.from("--b"), Buffer.of(0xff)]), "--b[binary, 1 byte]"],
  [
    "a head that isn't text",
    Buffer.from("--b\r\n\xff: x\r\n\r\nab", "latin1"),
    "--b[binary, 12 bytes]",
  ],
  ["no boundary in it", Buffer.of(0xff, 0xfe), "[binary, 2 bytes]"],
  ["nothing", Buffer.of(), ""],
])("a body with %s says so much", (_what, body, shown) => {
  expect(showMultipart(body, "multipart/form-data; boundary=b")).toContain(shown);
});

test("sixteen megabytes of what begins a boundary are one part", { tags: "variant" }, () => {
  for (const text of ["-", "\r", "\r\n--"]) {
    const body = form(Buffer.concat([Buffer.alloc(16 * 1024 * 1024, text), Buffer.of(0xff)]));
    const shown = showMultipart(body, "multipart/form-data; boundary=b");
    expect(shown).toBe(form("[binary, 16,777,217 bytes]").toString());
  }
});

test.each(["application/pdf", "multipart/form-data", ""])("%j is another body", (contentType) => {
  expect(showMultipart(Buffer.of(0xff), contentType)).toBeNull();
});
