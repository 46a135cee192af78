import { createHash } from "node:crypto";
import { toClientNetwork } from "#lib/core/address/client-network.ts";
import { readBearerToken, requireScope, unknownToken } from "#lib/core/api/bearer-token.ts";
import type { RateLimiter } from "#lib/core/rate-limiter.ts";
import { findPublishTokens, type PublishToken } from "#lib/db/accounts/publish-tokens.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { AppError } from "#lib/errors.ts";
import { BatchLoader } from "#lib/ingress/batch-loader.ts";
import { NotifiedCache } from "#lib/ingress/notified-cache.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";

/** Who publishes. */
export type Publisher = {
  readonly accountId: string;
  readonly scopes: readonly ApiScope[];
  readonly validUntilMs: number;
};

export type TokenFinderOptions = {
  readonly db: SqlStatements;
  /** Limits unknown tokens by address, to slow down guessing. */
  readonly misses: RateLimiter;
  readonly now: () => number;
};

/**
 * Finds the account of an API token by the token's hash. A notification removes changed tokens in
 * every process. Before a request is rejected, its token is read again: its scopes may just have
 * changed.
 */
export class TokenFinder {
  readonly #cache: NotifiedCache<Publisher>;
  readonly #misses: RateLimiter;

  constructor({ db, misses, now }: TokenFinderOptions) {
    this.#misses = misses;
    const loader = new BatchLoader<string, PublishToken, Publisher>({
      keyOf: (hash) => hash,
      find: (hashes) => findPublishTokens(db, hashes),
      prepare: ({ accountId, scopes, expiresInMs }) => ({
        accountId,
        scopes,
        validUntilMs: now() + (expiresInMs ?? Number.POSITIVE_INFINITY),
      }),
      timeoutMs: 2_000,
      spacingMs: 5,
      maxBatch: 500,
      maxWaiting: 5_000,
    });
    this.#cache = new NotifiedCache<Publisher>({
      load: (hash) => loader.load(hash),
      validUntilMs: ({ validUntilMs }) => validUntilMs,
      now,
    });
  }

  /**
   * The publisher of a request. Throws `unauthenticated`, `forbidden`, and `rate_limited`, and if
   * the database is unavailable.
   */
  async find(authorization: string | null, sourceIp: string): Promise<Publisher> {
    const hash = createHash("sha256").update(readBearerToken(authorization)).digest("hex");
    const cached = this.#cache.peek(hash);
    if (cached?.scopes.includes(neededScope) === true) return cached;
    const fresh = await this.#cache.load(hash);
    if (fresh === null) throw this.#rejectUnknown(sourceIp);
    requireScope(fresh, neededScope);
    return fresh;
  }

  forget(accountId: string): void {
    this.#cache.forget((publisher) => publisher.accountId === accountId);
  }

  setHearing(isHearing: boolean): void {
    this.#cache.setHearing(isHearing);
  }

  #rejectUnknown(sourceIp: string): AppError {
    const retryAfterSeconds = this.#misses.take(toClientNetwork(sourceIp));
    if (retryAfterSeconds === 0) return unknownToken();
    return rejectRate("Too many requests with unknown API tokens from this address.", {
      retryAfterSeconds,
    });
  }
}

const neededScope = "events:write";

export function rejectRate(
  detail: string,
  { retryAfterSeconds }: { readonly retryAfterSeconds: number },
): AppError {
  return new AppError("rate_limited", detail, {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
