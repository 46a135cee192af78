import {
  type DedupeRule,
  dedupeRuleSchema,
  type EventTypeRule,
  eventTypeRuleSchema,
  type HookResponse,
  type HookStatus,
  hookResponseSchema,
  hookStatusSchema,
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
  /** Those that pass now, newest first. */
  readonly secrets: readonly HookSecretSummary[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type HookSecretSummary = {
  readonly id: string;
  /** The last 4 characters. */
  readonly hint: string;
  readonly createdAt: Date;
  /** Null: until it is replaced. */
  readonly expiresAt: Date | null;
};

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
  createdAt: true,
  updatedAt: true,
  account: { select: { slug: true } },
  secrets: {
    select: { id: true, hint: true, createdAt: true, expiresAt: true },
    orderBy: { id: "desc" },
  },
} satisfies Prisma.HookSelect;

type HookRow = Prisma.HookGetPayload<{ select: typeof hookSelect }>;

/** Stored JSON is parsed here and trusted from here on. */
export function toHookRecord({ account, ...row }: HookRow): HookRecord {
  const nowMs = Date.now();
  return {
    ...row,
    accountSlug: account.slug,
    status: hookStatusSchema.parse(row.status),
    verification: hookVerificationSchema.nullable().parse(row.verification),
    dedupe: dedupeRuleSchema.parse(row.dedupe),
    eventType: eventTypeRuleSchema.parse(row.eventType),
    response: hookResponseSchema.nullable().parse(row.response),
    secrets: row.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > nowMs),
  };
}
