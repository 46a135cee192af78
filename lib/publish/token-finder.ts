import { createHash } from "node:crypto";
import type { RateLimiter } from "#lib/base/rate-limiter.ts";
import {
  describeMissingScope,
  parseBearerToken,
  unknownTokenDetail,
} from "#lib/core/api/bearer-token.ts";
import { toClientNetwork } from "#lib/core/sending/address/client-network.ts";
import { findPublishTokens, type PublishToken } from "#lib/db/accounts/publish-tokens.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { BatchLoader } from "#lib/ingress/batch-loader.ts";
import { NotifiedCache } from "#lib/ingress/notified-cache.ts";
import { type Rejection, reject } from "#lib/ingress/rejection.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";

/** The account and scopes with which a request publishes. */
export type Publisher = {
  readonly accountId: string;
  readonly scopes: readonly ApiScope[];
  readonly validUntilMs: number;
};

type TokenFinderOptions = {
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

  /** The publisher of a request. Throws if the database is unavailable. */
  async find(authorization: string | null, sourceIp: string): Promise<Publisher | Rejection> {
    const parsed = parseBearerToken(authorization);
    if (!parsed.ok) return reject("unauthenticated", parsed.detail);
    const hash = createHash("sha256").update(parsed.token).digest("hex");
    const cached = this.#cache.peek(hash);
    if (cached?.scopes.includes(neededScope) === true) return cached;
    const fresh = await this.#cache.load(hash);
    if (fresh === null) return this.#rejectUnknown(sourceIp);
    return fresh.scopes.includes(neededScope)
      ? fresh
      : reject("forbidden", describeMissingScope(neededScope));
  }

  forget(accountId: string): void {
    this.#cache.forget((publisher) => publisher.accountId === accountId);
  }

  setListening(isListening: boolean): void {
    this.#cache.setListening(isListening);
  }

  #rejectUnknown(sourceIp: string): Rejection {
    const retryAfterSeconds = this.#misses.take(toClientNetwork(sourceIp));
    if (retryAfterSeconds === 0) return reject("unauthenticated", unknownTokenDetail);
    const detail = "Too many requests with unknown API tokens from this address.";
    return reject("rate_limited", detail, { retryAfterSeconds });
  }
}

const neededScope = "events:write";
