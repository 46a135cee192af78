import { createHash } from "node:crypto";
import type { ApiResponse } from "#lib/core/api/api-response.ts";
import { readIdempotencyKey } from "#lib/core/api/request-headers.ts";
import { openText, sealText } from "#lib/core/redact/sealed-value.ts";
import { idempotentResponsePlace } from "#lib/core/seal/seal-places.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { ApiTokenHolder } from "#lib/db/accounts/api-tokens.ts";
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  releaseIdempotencyKey,
  storeIdempotentResponse,
} from "#lib/db/accounts/idempotency-keys.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { AppError } from "#lib/errors.ts";

type Caller = Pick<ApiTokenHolder, "tokenId" | "role" | "scopes" | "maskedFields">;

type KeyedCall = {
  readonly db: Database;
  /** Seals the stored response: it may show a new secret or a link. */
  readonly sealer: Sealer;
  readonly accountId: string;
  /**
   * The token, with all that decides what it may do and see now: its role, its scopes, and the fields that it sees
   * masked. A stored response is only for who got it, and only while they may make the call.
   */
  readonly caller: Caller;
  readonly request: Request;
  readonly body: Uint8Array;
};

/**
 * Does `work` once per `Idempotency-Key`: the same request within 24 hours gets the first response,
 * marked as repeated. Invalid requests, internal errors, and rate limits aren't stored, so that
 * they can be fixed or retried. Without the header, `work` always runs.
 */
export async function respondOnce(
  call: KeyedCall,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { db, accountId } = call;
  const keyed = readKey(call);
  if (keyed === null) return work();
  const claim = await claimIdempotencyKey(db, accountId, keyed);
  switch (claim.kind) {
    case "first":
      return workAndKeep(call, keyed, work);
    case "answered":
      return {
        status: claim.response.status,
        text: openResponse(call, keyed, claim.response.body),
        headers: { "idempotency-replayed": "true" },
      };
    case "other_request":
      throw new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was used with another request, by another token, or with other rights of " +
          "this one, in the last 24 hours. Use a new key for a new request.",
      );
    case "in_progress":
      throw new AppError(
        "conflict",
        "The first request with this Idempotency-Key is still in progress.",
        {
          headers: { "retry-after": "1" },
        },
      );
    default:
      return claim satisfies never;
  }
}

async function workAndKeep(
  { db, sealer, accountId }: KeyedCall,
  keyed: IdempotentRequest,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const response = await work();
  const changedNothing =
    response.status === 400 || response.status === 429 || response.status >= 500;
  if (changedNothing) await releaseIdempotencyKey(db, accountId, keyed);
  else
    await storeIdempotentResponse(db, accountId, keyed, {
      status: response.status,
      body: sealText(sealer, response.text, idempotentResponsePlace(accountId, keyed.key)),
    });
  return response;
}

/** The text as it was first sent. The request isn't repeated if no key opens it any more. */
function openResponse(
  { sealer, accountId }: KeyedCall,
  { key }: IdempotentRequest,
  body: string,
): string {
  const text = openText(sealer, body, idempotentResponsePlace(accountId, key));
  if (text !== null) return text;
  throw new AppError(
    "conflict",
    "This request was made already, but its response can't be opened: the secret key has changed.",
  );
}

function readKey({ request, body, caller }: KeyedCall): IdempotentRequest | null {
  const key = readIdempotencyKey(request.headers.get("idempotency-key"));
  if (key === null) return null;
  const { pathname, search } = new URL(request.url);
  const { tokenId, role, scopes, maskedFields } = caller;
  const rights = [tokenId, role, scopes.toSorted(), maskedFields.toSorted()];
  const head = JSON.stringify([request.method, pathname, search, ...rights]);
  return { key, hash: createHash("sha256").update(head).update("\0").update(body).digest() };
}
