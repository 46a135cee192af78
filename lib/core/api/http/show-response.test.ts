import { expect, test } from "vitest";
import { showResponseBody, showStoredBody } from "./show-response.ts";

const zip = Buffer.from("504b0304ff00ff", "hex");
const headers = [["content-type", "application/zip"]] as const;

test("a binary body is its size, or at least that of its part that was read", () => {
  const response = { headers, body: zip, truncated: false };
  expect(showResponseBody(response)).toEqual({ text: "[binary, 7 bytes]", isBinary: true });
  expect(showResponseBody({ ...response, truncated: true })).toEqual({
    text: "[binary, at least 7 bytes]",
    isBinary: true,
  });
});

test("of a multipart body, what is text is shown", () => {
  const part = (content: Uint8Array) =>
    Buffer.concat([Buffer.from("--b\r\nContent-Type: a/b\r\n\r\n"), content, Buffer.from("\r\n")]);
  const form = [["Content-Type", "multipart/mixed; boundary=b"]] as const;
  const body = Buffer.concat([part(Buffer.from("é")), part(zip), Buffer.from("--b--")]);
  const { text } = showResponseBody({ headers: form, body, truncated: false });
  expect(text).toBe(`${part(Buffer.from("é"))}${part(Buffer.from("[binary, 7 bytes]"))}--b--`);
});

test("what earlier versions stored of a binary body is shown as one, with the size that was declared", () => {
  const body = zip.toString("utf8");
  const sized = [...headers, ["content-length", "1234"]] as const;
  expect(showStoredBody({ headers, body }).text).toBe("[binary]");
  expect(showStoredBody({ headers: sized, body }).text).toBe("[binary, 1,234 bytes]");
  const text = "Ung\ufffdltig: bitte pr\ufffdfen Sie die Eingabe";
  expect(showStoredBody({ headers: [], body: text })).toEqual({ text, isBinary: false });
});
