import type { Database } from "./client.ts";

export type StoredAnswer = { readonly status: number; readonly body: string };

export type IdempotencyClaim =
  /** Go on, and then `keepAnswer` or `releaseIdempotencyKey`. */
  | { readonly kind: "first" }
  | { readonly kind: "answered"; readonly answer: StoredAnswer }
  /** The key was used with another request. */
  | { readonly kind: "other_request" }
  /** The first request with this key is still being worked on. */
  | { readonly kind: "in_progress" };

export type IdempotentRequest = {
  readonly key: string;
  /** SHA-256 over method, path and body. */
  readonly hash: Uint8Array;
};

/**
 * Takes a key for one request. The unique key in the database decides who is first, across processes. A key counts for 24 hours; one
 * whose first request never ended (its process died) can be taken again after a minute, which is longer than any request lives.
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
  const known = await db.idempotencyKey.findUnique({ where: { accountId_key: { accountId, key } } });
  // Gone between the two statements: the first request failed just now.
  if (known === null) return { kind: "in_progress" };
  if (Buffer.compare(known.requestHash, hash) !== 0) return { kind: "other_request" };
  if (known.status === null) return { kind: "in_progress" };
  return { kind: "answered", answer: { status: known.status, body: known.body ?? "" } };
}

/** Keeps the answer for those who ask again. */
export async function keepAnswer(
  db: Database,
  accountId: string,
  { key, hash }: IdempotentRequest,
  { status, body }: StoredAnswer,
): Promise<void> {
  await db.$executeRaw`
    update idempotency_keys set status = ${status}::int, body = ${body}
    where account_id = ${accountId}::uuid and key = ${key} and request_hash = ${hash}::bytea and status is null`;
}

/** After a failure of ours: the same request may be tried again. */
export async function releaseIdempotencyKey(
  db: Database,
  accountId: string,
  { key, hash }: IdempotentRequest,
): Promise<void> {
  await db.$executeRaw`
    delete from idempotency_keys
    where account_id = ${accountId}::uuid and key = ${key} and request_hash = ${hash}::bytea and status is null`;
}
