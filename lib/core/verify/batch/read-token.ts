import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";
import { maxPayloadDepth } from "#lib/core/mapping/payload/parse-json-text.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import { readPath } from "#lib/core/verify/dedupe/body-path.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import type { TokenPlace } from "./batch-rule.ts";

/**
 * The JSON text inside a token. Null: there is none. The token was verified before, or verification
 * is turned off.
 */
export function readToken(
  { path, claim }: TokenPlace,
  payload: Payload,
  body: Uint8Array,
): string | null {
  const token =
    path === ""
      ? Buffer.from(body).toString("latin1")
      : payload.kind === "json"
        ? readPath(payload.value, path)
        : null;
  if (typeof token !== "string") return null;
  const [, claims = "", , ...more] = token.split(".", 4);
  const text = more.length > 0 ? null : toText(decodeCanonical(claims, "base64url"));
  if (text === null || claim === undefined) return text;
  const value = isDeeperThan(text, maxPayloadDepth) ? null : readPath(parse(text), claim);
  return typeof value === "string" ? value : null;
}

function toText(bytes: Buffer | null): string | null {
  try {
    return bytes === null ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8, so it isn't JSON.
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
