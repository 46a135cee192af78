/**
 * Strict decoding. `Buffer.from(text, "hex" | "base64")` skips unknown characters and accepts
 * several encodings of the same bytes ("…N0" and "…N1"). Here only the canonical one is valid,
 * except for the case of hex digits, where providers differ.
 */

/**
 * Decodes hex of either case, padded base64, or unpadded base64url (RFC 4648). Null for anything
 * else.
 */
export function decodeCanonical(
  text: string,
  encoding: "hex" | "base64" | "base64url",
): Buffer | null {
  const bytes = Buffer.from(text, encoding);
  const canonical = encoding === "hex" ? text.toLowerCase() : text;
  return bytes.length > 0 && bytes.toString(encoding) === canonical ? bytes : null;
}

/**
 * Decodes pasted secrets. Base64 padding may be missing, since a double click doesn't select `=`.
 * Base64url may have padding.
 */
export function decodePasted(
  text: string,
  encoding: "hex" | "base64" | "base64url",
): Buffer | null {
  if (encoding === "hex") return decodeCanonical(text, "hex");
  if (encoding === "base64url") {
    const bare = text.length % 4 === 0 ? text.replace(/={1,2}$/, "") : text;
    return decodeCanonical(bare, "base64url");
  }
  const missing = (4 - (text.length % 4)) % 4;
  return decodeCanonical(
    missing < 3 && !text.includes("=") ? text + "=".repeat(missing) : text,
    "base64",
  );
}
