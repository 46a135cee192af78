import { describe, expect, it } from "vitest";
import { toStoredRequest, toStoredResponse, toStoredText } from "./stored-attempt.ts";

const request = (body: Uint8Array | null) => ({
  method: "POST",
  url: "https://a.test/x?token=t0p",
  headers: [],
  body,
});
const limit = 64 * 1024;

describe("a stored request", () => {
  it("contains no secret, neither by name nor by value", () => {
    const stored = toStoredRequest(
      {
        method: "POST",
        url: "https://user:pw@a.test/s3cr3t?api_key=1&b=2",
        headers: [
          ["Authorization", "Bearer s3cr3t"],
          ["X-Other", "has s3cr3t inside"],
        ],
        body: Buffer.from('{"a":"s3cr3t"}'),
      },
      ["s3cr3t"],
    );
    expect(stored).not.toContain("s3cr3t");
    expect(JSON.parse(stored)).toMatchObject({
      url: "https://[redacted]@a.test/[redacted]?api_key=[redacted]&b=2",
    });
  });

  it("keeps 64 KiB of the body, marks it as cut, and splits no character", () => {
    const stored = JSON.parse(toStoredRequest(request(Buffer.from(`a${"é".repeat(limit)}`)), []));
    expect(stored.body).toBe(`a${"é".repeat((limit - 2) / 2)}`);
    expect(stored.bodyTruncated).toBe(true);
  });

  const send = (body: Uint8Array, contentType?: string) =>
    JSON.parse(
      toStoredRequest(
        {
          ...request(body),
          headers: contentType === undefined ? [] : [["Content-Type", contentType]],
        },
        ["s3cr3t"],
      ),
    );
  const part = (name: string, content: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]);
  const form = "multipart/form-data; boundary=b";

  it("says the size of what isn't text, and shows the rest", () => {
    const file = part("f", Buffer.alloc(1_234, 0xff));
    const fields = [part("key", "s3cr3t"), part("ü", "é")];
    const end = Buffer.from("--b--\r\n");
    expect(send(Buffer.concat([...fields, file, end]), form)).toMatchObject({
      body: `${part("key", "[redacted]")}${fields[1]}${part("f", "[binary, 1,234 bytes]")}--b--\r\n`,
      bodyTruncated: false,
      bodyBinary: true,
    });
    expect(send(Buffer.concat([...fields, end]), form)).not.toHaveProperty("bodyBinary");
    const long = send(Buffer.concat([part("long", "x".repeat(limit)), file, end]), form);
    expect(long).toMatchObject({ bodyTruncated: true, bodyBinary: true });
    expect(long.body).toHaveLength(limit);
  });

  it.each([
    ["an image", Buffer.alloc(2_000_000, 0x89), "image/png", "[binary, 2,000,000 bytes]"],
    ["bytes without a type", Buffer.of(0xff), undefined, "[binary, 1 byte]"],
    [
      "JSON with a wrong byte",
      Buffer.of(0x22, 0xff, 0x22),
      "application/json",
      "[binary, 3 bytes]",
    ],
    [
      "text in its charset",
      Buffer.from("Müller", "latin1"),
      "text/xml; charset=iso-8859-1",
      "Müller",
    ],
    ["a form without a boundary", Buffer.of(0xff), "multipart/form-data", "[binary, 1 byte]"],
  ])("of %s is shown as what it is", (_what, body, type, shown) => {
    expect(send(body, type)).toMatchObject({
      body: shown,
      bodyTruncated: false,
      bodyBinary: true,
    });
  });

  it("without a body has null", () => {
    expect(JSON.parse(toStoredRequest(request(null), []))).toMatchObject({
      body: null,
      bodyTruncated: false,
    });
  });
});

it("leaves no part of a secret at the cut", () => {
  const body = Buffer.from(`${"x".repeat(limit - 6)}s3cr3t-value`);
  const response = { status: 200, headers: [], body, truncated: false };
  const stored = JSON.parse(toStoredResponse(response, ["s3cr3t-value"]));
  expect(stored.body).not.toContain("s3cr");
  expect(stored.truncated).toBe(true);
});

it("nor in a sentence", () => {
  expect(toStoredText(`${"x".repeat(1_994)}s3cr3t-value`, ["s3cr3t-value"])).toMatch(
    /x\[redacted\]…$/,
  );
});

it("text for a column has no NUL, no lone surrogate, and a limit", () => {
  expect(toStoredText("a\0b\ud800c")).toBe("a\u{fffd}b\u{fffd}c");
  expect(toStoredText("x".repeat(10_000)).length).toBeLessThan(2_100);
});
