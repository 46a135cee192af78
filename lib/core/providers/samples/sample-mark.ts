import { createHash } from "node:crypto";
import type { Sealer, SealPlace } from "#lib/core/people/seal/sealer.ts";

/**
 * Proves that Catchment itself made a request. The mark is a header, sealed with the server's own
 * key for one hook, one body, and one hour, so that no one else can make one or move it to another
 * request.
 */
export const sampleHeader = "x-catchment-test";

type MarkedRequest = {
  readonly accountId: string;
  readonly hookId: string;
  readonly body: Uint8Array;
  readonly nowMs: number;
};

/** The mark is unique, even for the same request, because it identifies the delivery. */
export function createSampleMark(sealer: Sealer, request: MarkedRequest): string {
  const until = Buffer.from(String(request.nowMs + validMs));
  const plaintext = Buffer.concat([hash(request.body), until]);
  return Buffer.from(sealer.seal(plaintext, placeOf(request))).toString("base64url");
}

export function isSampleMark(sealer: Sealer, mark: string, request: MarkedRequest): boolean {
  if (mark.length > maxMarkChars) return false;
  const opened = sealer.open(Buffer.from(mark, "base64url"), placeOf(request));
  if (!opened.ok) return false;
  const plaintext = Buffer.from(opened.plaintext);
  const isSameBody = plaintext.subarray(0, hashBytes).equals(hash(request.body));
  return isSameBody && request.nowMs < Number(plaintext.subarray(hashBytes).toString());
}

const validMs = 3_600_000;
const hashBytes = 32;
/** A key id can have up to 255 bytes. */
const maxMarkChars = 600;

function placeOf({ accountId, hookId }: MarkedRequest): SealPlace {
  return { accountId, table: "hooks", rowId: hookId, field: "sample" };
}

function hash(body: Uint8Array): Buffer {
  return createHash("sha256").update(body).digest();
}
