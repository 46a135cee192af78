import type { Prisma } from "#lib/db/generated/client.ts";
import {
  type DedupeRule,
  dedupeRuleSchema,
  type EventTypeRule,
  eventTypeRuleSchema,
  type HookResponse,
  type HookState,
  type HookStatus,
  hookResponseSchema,
  hookStateSchema,
  pendingLimits,
} from "#lib/schema/hook.ts";
import { type HookVerification, hookVerificationSchema } from "#lib/schema/verification.ts";

/** A hook as its owner sees it. Secrets appear as hints only. */
export type HookRecord = {
  readonly id: string;
  readonly accountId: string;
  /** Together with `key`, the two segments of the catch URL. */
  readonly accountSlug: string;
  readonly key: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly provider: string;
  /** A scheme for `custom`, or settings for a catalog provider that declares some. */
  readonly verification: HookVerification | null;
  readonly dedupe: DedupeRule;
  readonly eventType: EventTypeRule;
  readonly methods: readonly string[];
  readonly response: HookResponse | null;
  readonly splitBatches: boolean;
  /** How far the signed time may be off. Null: the provider's default, or no time is signed. */
  readonly toleranceSeconds: number | null;
  /** Null: the default for the provider's events. */
  readonly replayProtection: boolean | null;
  /** Requests per second; null: the installation's limit. */
  readonly ratePerSecond: number | null;
  /**
   * While the hook awaits its first secret: until when deliveries are stored unverified. Null: not
   * awaiting.
   */
  readonly pending: HookPending | null;
  /** Active secrets, newest first. */
  readonly secrets: readonly HookSecretSummary[];
  /** Replaced catch URLs that still work, newest first. */
  readonly previousKeys: readonly PreviousKey[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type PreviousKey = { readonly key: string; readonly expiresAt: Date };

export type HookPending = { readonly since: Date; readonly until: Date };

export type HookSecretSummary = {
  readonly id: string;
  /** The last 4 characters. */
  readonly hint: string;
  /** `handshake`: the provider sent it. */
  readonly origin: SecretOrigin;
  readonly createdAt: Date;
  /** Null: until it is replaced. */
  readonly expiresAt: Date | null;
};

export type SecretOrigin = "pasted" | "handshake";

/** A saved hook, with warnings for its owner. */
export type SavedHook = { readonly hook: HookRecord; readonly warnings: readonly string[] };

export const hookSelect = {
  id: true,
  accountId: true,
  key: true,
  name: true,
  status: true,
  provider: true,
  verification: true,
  dedupe: true,
  eventType: true,
  methods: true,
  response: true,
  splitBatches: true,
  toleranceSeconds: true,
  replayProtection: true,
  ratePerSecond: true,
  pendingSince: true,
  createdAt: true,
  updatedAt: true,
  account: { select: { slug: true } },
  previousKeys: { select: { key: true, expiresAt: true }, orderBy: { id: "desc" } },
  secrets: {
    select: { id: true, hint: true, origin: true, createdAt: true, expiresAt: true },
    orderBy: { id: "desc" },
  },
} satisfies Prisma.HookSelect;

type HookRow = Prisma.HookGetPayload<{ select: typeof hookSelect }>;

/** Stored JSON is parsed here and trusted from here on. */
export function toHookRecord({ account, pendingSince, ...row }: HookRow): HookRecord {
  const nowMs = Date.now();
  return {
    ...row,
    accountSlug: account.slug,
    status: toStatus(hookStateSchema.parse(row.status), pendingSince !== null),
    pending: toPending(pendingSince),
    verification: hookVerificationSchema.nullable().parse(row.verification),
    dedupe: dedupeRuleSchema.parse(row.dedupe),
    eventType: eventTypeRuleSchema.parse(row.eventType),
    response: hookResponseSchema.nullable().parse(row.response),
    previousKeys: row.previousKeys.filter(({ expiresAt }) => expiresAt.getTime() > nowMs),
    secrets: row.secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > nowMs)
      .map(({ origin, ...secret }) => ({
        ...secret,
        origin: origin === "handshake" ? "handshake" : "pasted",
      })),
  };
}

function toStatus(state: HookState, isPending: boolean): HookStatus {
  return state === "active" && isPending ? "pending" : state;
}

function toPending(since: Date | null): HookPending | null {
  return since === null
    ? null
    : { since, until: new Date(since.getTime() + pendingLimits.days * 86_400_000) };
}
