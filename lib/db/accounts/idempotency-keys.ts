import type { Database } from "#lib/db/postgres/client.ts";

type StoredResponse = { readonly status: number; readonly body: string };

type IdempotencyClaim =
  /** Run the request, then call `storeIdempotentResponse` or `releaseIdempotencyKey`. */
  | { readonly kind: "first" }
  | { readonly kind: "answered"; readonly response: StoredResponse }
  /** The key was used for a different request. */
  | { readonly kind: "other_request" }
  /** The first request with this key is still running. */
  | { readonly kind: "in_progress" };

export type IdempotentRequest = {
  readonly key: string;
  /** SHA-256 of method, path, and body. */
  readonly hash: Uint8Array;
};

/**
 * Claims a key for one request. A unique index decides who is first, across processes. A key lasts
 * 24 hours. If the first request never ended (its process died), the key can be claimed again after
 * a minute, which is longer than any request runs.
 */
export async function claimIdempotencyKey(
  db: Database,
  accountId: string,
  { key, hash }: IdempotentRequest,
): Promise<IdempotencyClaim> {
  const taken = await db.$executeRaw`
    insert into idempotency_keys as known (account_id, key, request_hash) values (${accountId}::uuid, ${key}, ${hash}::bytea)
    on conflict (account_id, key) do update
      set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
      where known.created_at < now() - interval '24 hours'
        or (known.status is null and known.created_at < now() - interval '1 minute'
          and known.request_hash = excluded.request_hash)`;
  if (taken > 0) return { kind: "first" };
  const known = await db.idempotencyKey.findUnique({
    where: { accountId_key: { accountId, key } },
  });
  // The row was removed between the two statements: the first request has just failed.
  if (known === null) return { kind: "in_progress" };
  if (Buffer.compare(known.requestHash, hash) !== 0) return { kind: "other_request" };
  if (known.status === null) return { kind: "in_progress" };
  return { kind: "answered", response: { status: known.status, body: known.body ?? "" } };
}

/** Stores the response for retries with the same key. */
export async function storeIdempotentResponse(
  db: Database,
  accountId: string,
  { key, hash }: IdempotentRequest,
  { status, body }: StoredResponse,
): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: unanswered(accountId, { key, hash }),
    data: { status, body },
  });
}

/** Releases a key after an internal error, so that the same request may be tried again. */
export async function releaseIdempotencyKey(
  db: Database,
  accountId: string,
  { key, hash }: IdempotentRequest,
): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: unanswered(accountId, { key, hash }) });
}

function unanswered(accountId: string, { key, hash }: IdempotentRequest) {
  return { accountId, key, requestHash: new Uint8Array(hash), status: null };
}
