import { AppError } from "#lib/base/errors.ts";
import type { ApiResponse } from "#lib/core/api/api-response.ts";
import { openText, sealText } from "#lib/core/people/redact/sealed-value.ts";
import { idempotentResponsePlace } from "#lib/core/people/seal/seal-places.ts";
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  releaseIdempotencyKey,
  storeIdempotentResponse,
} from "#lib/db/accounts/idempotency-keys.ts";
import type { ServiceParts } from "./service-parts.ts";

export type { IdempotentRequest };

/** The sealer seals the stored response: it may show a new secret or a link. */
type KeyedParts = Pick<ServiceParts, "db" | "sealer"> & { readonly accountId: string };

/**
 * Does `work` once per key: the same request within 24 hours gets the first response, marked as
 * repeated. Invalid requests, internal errors, and rate limits aren't stored, so that they can be
 * fixed or retried.
 */
export async function respondOncePerKey(
  parts: KeyedParts,
  keyed: IdempotentRequest,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const claim = await claimIdempotencyKey(parts.db, parts.accountId, keyed);
  switch (claim.kind) {
    case "first":
      return workAndKeep(parts, keyed, work);
    case "answered":
      return {
        status: claim.response.status,
        text: openResponse(parts, keyed, claim.response.body),
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
  { db, sealer, accountId }: KeyedParts,
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
  { sealer, accountId }: KeyedParts,
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
