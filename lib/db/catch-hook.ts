import type { Database } from "./client.ts";

/** All that the catch path needs of a hook, as stored: JSON is not yet parsed, secrets are still sealed. */
export type CatchHookRow = {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  readonly provider: string;
  readonly verification: unknown;
  readonly dedupe: unknown;
  readonly eventType: unknown;
  readonly methods: readonly string[];
  readonly response: unknown;
  readonly secrets: readonly SealedSecretRow[];
};

export type SealedSecretRow = {
  readonly id: string;
  readonly ciphertext: Uint8Array;
  /** After this instant it no longer counts; null: the current one. */
  readonly expiresAt: Date | null;
};

/**
 * The hook behind a catch URL, by the whole of it: both the account's slug and the hook's key must fit.
 * One statement of the same cost whichever part is wrong. Null: unknown, or deleted.
 */
export async function findCatchHook(
  db: Database,
  accountSlug: string,
  hookKey: string,
): Promise<CatchHookRow | null> {
  return db.hook.findFirst({
    where: { key: hookKey, deletedAt: null, account: { slug: accountSlug } },
    select: {
      id: true,
      accountId: true,
      status: true,
      provider: true,
      verification: true,
      dedupe: true,
      eventType: true,
      methods: true,
      response: true,
      secrets: { select: { id: true, ciphertext: true, expiresAt: true } },
    },
  });
}
