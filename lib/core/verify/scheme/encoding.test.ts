import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCanonical, decodePasted } from "./encoding.ts";

const encodings = ["hex", "base64", "base64url"] as const;

describe("canonical decoding", () => {
  it("reads back what was written", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.constantFrom(...encodings),
        (bytes, encoding) => {
          const text = Buffer.from(bytes).toString(encoding);
          expect(decodeCanonical(text, encoding)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it("only one text represents the bytes, apart from the case of hex digits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.constantFrom(...encodings),
        (text, encoding) => {
          const bytes = decodeCanonical(text, encoding);
          if (bytes !== null)
            expect(bytes.toString(encoding)).toBe(encoding === "hex" ? text.toLowerCase() : text);
        },
      ),
    );
  });

  it.each([
    ["hex", ["", "a", "abc", "0x", "ab ", "zz", "abzz"]],
    ["base64", ["", "QQ", "QQ=", "QR==", "Q Q==", "QQ==\n", "__==", "QQ==QQ=="]],
    ["base64url", ["", "QQ==", "QR", "Q", "+/+/", "Q.Q"]],
  ] as const)("%s in another notation is rejected", (encoding, texts) => {
    for (const text of texts) expect([text, decodeCanonical(text, encoding)]).toEqual([text, null]);
  });

  it("hex may be uppercase and pasted base64 may lack its padding, and nothing more", () => {
    for (const text of ["00FF", "00fF"]) {
      expect(decodeCanonical(text, "hex")).toEqual(Buffer.from([0, 255]));
      expect(decodePasted(text, "hex")).toEqual(Buffer.from([0, 255]));
    }
    expect(decodePasted("QQ", "base64")).toEqual(Buffer.from("A"));
    for (const text of ["Q", "QR", "QQ=", "Q Q", "QQ\n"])
      expect(decodePasted(text, "base64")).toBeNull();
    for (const text of ["0", "0g", " 00"]) expect(decodePasted(text, "hex")).toBeNull();
  });
});
