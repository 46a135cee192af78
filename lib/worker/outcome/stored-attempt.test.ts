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
