import type { RateLimiter } from "#lib/base/rate-limiter.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { CheckEvents } from "#lib/evaluate/check-published.ts";
import type { ReadLarge } from "#lib/evaluate/read-events-task.ts";
import type { GroupCommit } from "#lib/ingress/group-commit.ts";
import type { RateLimits } from "#lib/ingress/rate-limits.ts";
import type { BodyReader } from "#lib/ingress/read-body.ts";
import type { HookCache } from "./hook-cache.ts";
import type { RejectionBudget } from "./rejection-budget.ts";
import type { HandshakeEffects } from "./respond-to-handshake.ts";

/** The parts of the catch path, which `startCatch` assembles. */
export type CatchServiceParts = {
  readonly hooks: HookCache;
  readonly bodies: BodyReader;
  readonly commits: GroupCommit<NewDelivery, StoredDelivery>;
  readonly rejections: RejectionBudget;
  readonly signingKeys: SigningKeys;
  readonly handshakes: HandshakeEffects;
  readonly readLarge: ReadLarge;
  /** Checks events, for hooks that publish. */
  readonly checkEvents: CheckEvents;
  /** Limits requests to unknown URLs by address, to slow down guessing. */
  readonly misses: RateLimiter;
  readonly rates: RateLimits;
  readonly trustedProxies: AllowList;
  /** The public origin without a trailing slash. */
  readonly publicOrigin: string;
  readonly maxBodyBytes: number;
  /** Total database wait for one request, in milliseconds. */
  readonly maxStorageMs: number;
  readonly now: () => number;
};
