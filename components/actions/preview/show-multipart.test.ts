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
  const body = form(Uint8Array.of(0xff, 13, 10, 0)).toString("base64");
  const shown = showMultipart(body, "multipart/form-data; boundary=b");
  expect(shown).toBe(form("(4 bytes)").toString());
});

test.each(["application/pdf", "multipart/form-data", ""])("%j is another body", (contentType) => {
  expect(showMultipart("/w==", contentType)).toBeNull();
});
