import { createHash } from "node:crypto";
import type { ApiResponse } from "#lib/core/api/api-response.ts";
import { readIdempotencyKey } from "#lib/core/api/request-headers.ts";
import type { ApiTokenHolder } from "#lib/services/account/api-tokens.ts";
import { type IdempotentRequest, respondOncePerKey } from "#lib/services/frame/respond-once.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

type Caller = Pick<ApiTokenHolder, "tokenId" | "role" | "scopes" | "maskedFields">;

type KeyedCall = {
  readonly parts: Pick<ServiceParts, "db" | "sealer">;
  readonly accountId: string;
  /**
   * The token, with all that decides what it may do and see now: its role, its scopes, and the fields that it sees
   * masked. A stored response is only for who got it, and only while they may make the call.
   */
  readonly caller: Caller;
  readonly request: Request;
  readonly body: Uint8Array;
};

/** Does `work` once per `Idempotency-Key`. Without the header, `work` always runs. */
export async function respondOnce(
  call: KeyedCall,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const keyed = readKey(call);
  if (keyed === null) return work();
  const { db, sealer } = call.parts;
  return await respondOncePerKey({ db, sealer, accountId: call.accountId }, keyed, work);
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
