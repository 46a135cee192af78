/** Computes MACs and hashes of a scheme's signed text, for verifying and signing. */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { MacKey } from "#lib/core/verify/scheme/decode-secret.ts";
import type { Compiled, CompiledMac } from "#lib/core/verify/scheme/scheme.ts";

/**
 * A piece of the signed text. Header values are latin1, as Node.js returns them. Others are UTF-8.
 */
export type Piece = Uint8Array | { readonly latin1: string } | { readonly utf8: string };
/** Every variable of the template except `secret`. */
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

/** The signed text as bytes, for algorithms that can't hash piece by piece. */
export function joinSignedText({ segments }: Compiled, pieces: Pieces): Buffer {
  return Buffer.concat(
    segments.map((segment) => {
      if ("text" in segment) return Buffer.from(segment.text, "latin1");
      const piece = pieces.get(segment.variable);
      if (piece === undefined) throw new Error("a variable of the signed text has no value");
      if (piece instanceof Uint8Array) return piece;
      return "latin1" in piece
        ? Buffer.from(piece.latin1, "latin1")
        : Buffer.from(piece.utf8, "utf8");
    }),
  );
}

/** SHA-256 of the signed text, regardless of the secret: replays have the same hash. */
export function hashSignedText({ segments }: Compiled, pieces: Pieces): Buffer {
  const state = createHash("sha256").update("r");
  for (const segment of segments) {
    if ("text" in segment) state.update(segment.text, "latin1");
    else if (segment.variable !== "secret") update(state, pieces.get(segment.variable));
  }
  return state.digest();
}

function update(state: Hash | Hmac, piece: Piece | undefined): void {
  if (piece === undefined) throw new Error("a variable of the signed text has no value");
  if (piece instanceof Uint8Array) state.update(piece);
  else if ("latin1" in piece) state.update(piece.latin1, "latin1");
  else state.update(piece.utf8, "utf8");
}
