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
import type { Prisma } from "./generated/client.ts";

/** A hook as its owner sees it. Secrets are hints only. */
export type HookRecord = {
  readonly id: string;
  readonly accountId: string;
  /** With `key` the two segments of the catch URL. */
  readonly accountSlug: string;
  readonly key: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly provider: string;
  /** A scheme for `custom`, settings for a sender of the catalogue that declares some. */
  readonly verification: HookVerification | null;
  readonly dedupe: DedupeRule;
  readonly eventType: EventTypeRule;
  readonly methods: readonly string[];
  readonly response: HookResponse | null;
  readonly splitBatches: boolean;
  /** While it waits for its first secret: until when deliveries are kept unverified. Null: it doesn't wait. */
  readonly pending: HookPending | null;
  /** Those that pass now, newest first. */
  readonly secrets: readonly HookSecretSummary[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type HookPending = { readonly since: Date; readonly until: Date };

export type HookSecretSummary = {
  readonly id: string;
  /** The last 4 characters. */
  readonly hint: string;
  /** `handshake`: the sender gave it. */
  readonly origin: SecretOrigin;
  readonly createdAt: Date;
  /** Null: until it is replaced. */
  readonly expiresAt: Date | null;
};

export type SecretOrigin = "pasted" | "handshake";

/** A hook that was just saved, and what its owner should know about it. */
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
  pendingSince: true,
  createdAt: true,
  updatedAt: true,
  account: { select: { slug: true } },
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
