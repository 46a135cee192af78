/** Computes the MAC of a scheme over its signed text. Verifying and signing share it. */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { CompiledMac } from "./scheme.ts";
import type { MacKey } from "./secret.ts";

/**
 * A piece of the signed text. Strings from headers carry one byte a character (latin1), as node gives them;
 * strings from elsewhere are UTF-8.
 */
export type Piece = Uint8Array | { readonly latin1: string } | { readonly utf8: string };
type Filled = ReadonlyMap<string, Piece>;

/** `filled` holds every variable of the template but `secret`. */
export function computeMac(compiled: CompiledMac, key: MacKey, filled: Filled): Buffer {
  const { mac, hash } = compiled.scheme;
  const state = mac === "hmac" ? createHmac(hash, key.key) : createHash(hash);
  for (const segment of compiled.segments) {
    if ("text" in segment) state.update(segment.text, "latin1");
    else if (segment.variable === "secret") state.update(key.bytes);
    else update(state, filled.get(segment.variable));
  }
  return state.digest();
}

function update(state: Hash | Hmac, piece: Piece | undefined): void {
  if (piece === undefined) throw new Error("a variable of the signed text was not filled");
  if (piece instanceof Uint8Array) state.update(piece);
  else if ("latin1" in piece) state.update(piece.latin1, "latin1");
  else state.update(piece.utf8, "utf8");
}
