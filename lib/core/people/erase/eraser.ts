import { toPatternSource } from "./value-pattern.ts";

/** What stands where a value stood. In JSON, a number stays one. */
const erasedText = "[erased]";
const erasedNumber = "0";

export type Eraser = {
  /** The bytes without the values. Null: they contain none. */
  readonly eraseBytes: (bytes: Uint8Array) => Buffer | null;
  /** The same of a text. */
  readonly eraseText: (text: string) => string | null;
};

/**
 * Finds values in what is stored, in every way in which `toPatternSource` knows them to be written, and in
 * Base64 whose content has them so. Doesn't look into what is compressed or encrypted, nor into UTF-16,
 * quoted-printable, or Base64 within Base64. Bytes around a value stay as they are.
 */
export function createEraser(values: readonly string[]): Eraser {
  const patterns = values
    .toSorted((one, other) => other.length - one.length)
    .map((value) => ({
      pattern: new RegExp(toPatternSource(value), "g"),
      mark: /^\d+$/.test(value) ? erasedNumber : erasedText,
    }));
  const shortest = Math.min(...values.map((value) => Buffer.byteLength(value)));
  const encoded = encodedPattern(Math.max(minEncoded, Math.floor((shortest * 8) / 6)));

  /** @param latin1 the bytes, one for each character */
  function erasePlain(latin1: string): string {
    let rest = latin1;
    for (const { pattern, mark } of patterns)
      if (rest.search(pattern) !== -1) rest = rest.replace(pattern, mark);
    return rest;
  }

  function erase(latin1: string): string | null {
    const plain = erasePlain(latin1);
    const all = plain.replace(encoded, (run) => eraseEncoded(run, erasePlain) ?? run);
    return all === latin1 ? null : all;
  }

  function eraseBytes(bytes: Uint8Array): Buffer | null {
    const erased = erase(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
    );
    return erased === null ? null : Buffer.from(erased, "latin1");
  }

  return {
    eraseBytes,
    eraseText: (text) => eraseBytes(Buffer.from(text))?.toString() ?? null,
  };
}

/** Shorter words are everywhere, and no address is that short. */
const minEncoded = 12;

/** Text that may be Base64, in both alphabets, with the escapes that JSON and forms give its characters. */
function encodedPattern(minChars: number): RegExp {
  return new RegExp(
    String.raw`(?:[A-Za-z0-9+/_-]|\\/|%2[BbFf]){${minChars},}(?:=|%3[Dd]){0,2}`,
    "g",
  );
}

/** A run of Base64 without the values, as it was written. It may begin with characters of something else. */
function eraseEncoded(run: string, erasePlain: (latin1: string) => string): string | null {
  const plain = run
    .replaceAll("\\/", "/")
    .replaceAll(/%2[Bb]/g, "+")
    .replaceAll(/%2[Ff]/g, "/")
    .replaceAll(/%3[Dd]/g, "=");
  for (let begin = 0; begin < 4; begin += 1) {
    const text = plain.slice(begin);
    const decoded = Buffer.from(text, "base64").toString("latin1");
    const erased = erasePlain(decoded);
    if (erased === decoded) continue;
    return plain.slice(0, begin) + writeLike(run, text, Buffer.from(erased, "latin1"));
  }
  return null;
}

function writeLike(run: string, text: string, bytes: Buffer): string {
  const isForUrls = /[-_]/.test(text);
  const encoded = bytes.toString(isForUrls ? "base64url" : "base64");
  const isPadded = text.endsWith("=") || (text.length % 4 === 0 && !isForUrls);
  const padded = isPadded ? encoded : encoded.replace(/=+$/, "");
  if (run.includes("\\/")) return padded.replaceAll("/", "\\/");
  if (!/%[23]/.test(run)) return padded;
  return padded.replaceAll("+", "%2B").replaceAll("/", "%2F").replaceAll("=", "%3D");
}
