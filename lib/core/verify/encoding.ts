/**
 * Strict decoding. `Buffer.from(text, "hex" | "base64")` skips characters it doesn't know and accepts
 * several spellings of the same bytes ("…N0" and "…N1" are equal to it); here one spelling is right.
 */

/** Hex is lower-case, base64 padded, base64url unpadded (RFC 4648). Anything else is null. */
export function decodeCanonical(text: string, encoding: "hex" | "base64" | "base64url"): Buffer | null {
  const bytes = Buffer.from(text, encoding);
  return bytes.length > 0 && bytes.toString(encoding) === text ? bytes : null;
}

/** As above for what people paste: hex of either case, and base64 that lost its `=` to a double click. */
export function decodePasted(text: string, encoding: "hex" | "base64"): Buffer | null {
  if (encoding === "hex") return decodeCanonical(text.toLowerCase(), "hex");
  const missing = (4 - (text.length % 4)) % 4;
  return decodeCanonical(missing < 3 && !text.includes("=") ? text + "=".repeat(missing) : text, "base64");
}
