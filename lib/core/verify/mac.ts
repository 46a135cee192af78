/** Computes over the signed text of a scheme. Verifying and signing share it. */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { MacKey } from "./decode-secret.ts";
import type { Compiled, CompiledMac } from "./scheme.ts";

/**
 * A piece of the signed text. Strings from headers carry one byte a character (latin1), as node gives them;
 * strings from elsewhere are UTF-8.
 */
export type Piece = Uint8Array | { readonly latin1: string } | { readonly utf8: string };
/** Every variable of the template but `secret`. */
export type Pieces = ReadonlyMap<string, Piece>;

export function computeMac(compiled: CompiledMac, key: MacKey, pieces: Pieces): Buffer {
  const { mac, hash } = compiled.scheme;
  const state = mac === "hmac" ? createHmac(hash, key.key) : createHash(hash);
  for (const segment of compiled.segments) {
    if ("text" in segment) state.update(segment.text, "latin1");
    else if (segment.variable === "secret") state.update(key.bytes);
    else update(state, pieces.get(segment.variable));
  }
  return state.digest();
}

/** The signed text as bytes, for what does not hash piece by piece. */
export function joinSignedText({ segments }: Compiled, pieces: Pieces): Buffer {
  return Buffer.concat(
    segments.map((segment) => {
      if ("text" in segment) return Buffer.from(segment.text, "latin1");
      const piece = pieces.get(segment.variable);
      if (piece === undefined) throw new Error("a variable of the signed text was not filled");
      if (piece instanceof Uint8Array) return piece;
      return "latin1" in piece ? Buffer.from(piece.latin1, "latin1") : Buffer.from(piece.utf8, "utf8");
    }),
  );
}

function update(state: Hash | Hmac, piece: Piece | undefined): void {
  if (piece === undefined) throw new Error("a variable of the signed text was not filled");
  if (piece instanceof Uint8Array) state.update(piece);
  else if ("latin1" in piece) state.update(piece.latin1, "latin1");
  else state.update(piece.utf8, "utf8");
}
