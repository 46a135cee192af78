import { idTime } from "#lib/core/api/page.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import {
  type DedupeRule,
  dedupeRuleSchema,
  type EventTypeRule,
  eventTypeRuleSchema,
} from "#lib/schema/receive/event-rules.ts";
import {
  type HookPublish,
  type HookState,
  type HookStatus,
  hookPublishSchema,
  hookStateSchema,
} from "#lib/schema/receive/hook.ts";
import { type HookReply, storedHookReplySchema } from "#lib/schema/receive/hook-reply.ts";
import {
  type HookCors,
  type HookResponse,
  hookCorsSchema,
  hookResponseSchema,
} from "#lib/schema/receive/hook-response.ts";
import { type HookSilence, hookSilenceSchema } from "#lib/schema/receive/hook-silence.ts";
import { pendingLimits } from "#lib/schema/receive/pending-limits.ts";
import { type HookVerification, hookVerificationSchema } from "#lib/schema/receive/verification.ts";

/**
 * A hook as its owner sees it: its columns, with JSON parsed. Secrets appear as hints only. A column
 * is described in `prisma/schema.prisma`.
 */
export type HookRecord = Readonly<
  Omit<HookRow, keyof Parsed | "account" | "pendingSince" | "fieldCursor" | "paths">
> &
  Parsed;

type Parsed = {
  /** Together with `path` or `key`, the two segments of the catch URL. */
  readonly accountSlug: string;
  /** The last segment of the catch URL that its owner chose. Null: it is `key`. */
  readonly path: string | null;
  readonly status: HookStatus;
  /** A scheme for `custom`, or settings for a catalog provider that declares some. */
  readonly verification: HookVerification | null;
  readonly dedupe: DedupeRule;
  readonly eventType: EventTypeRule;
  readonly methods: readonly string[];
  readonly response: HookResponse | null;
  /** Null: accepted deliveries are not published. */
  readonly publish: HookPublish | null;
  /** Null: no page may send to it from a browser and read the response. */
  readonly cors: HookCors | null;
  readonly silence: HookSilence;
  /** Deliveries that arrived before this are indexed by their fields. Null: none are. */
  readonly fieldSearchUntil: Date | null;
  /** Null: the response is sent once a delivery is stored. */
  readonly reply: HookReply | null;
  /**
   * The time until which deliveries are stored unverified, while the hook awaits its first secret.
   * Null: it isn't awaiting one.
   */
  readonly pending: HookPending | null;
  /** Active secrets, newest first. */
  readonly secrets: readonly HookSecretSummary[];
  /** The last segments of replaced catch URLs that still work. The one that ends last is first. */
  readonly previousKeys: readonly PreviousKey[];
};

type PreviousKey = { readonly key: string; readonly expiresAt: Date };

type HookPending = { readonly since: Date; readonly until: Date };

export type HookSecretSummary = {
  readonly id: string;
  /** The last 4 characters. */
  readonly hint: string;
  /** The secret's origin. `handshake`: the provider sent it. */
  readonly origin: SecretOrigin;
  readonly createdAt: Date;
  /** The time of expiry. Null: active until it is replaced. */
  readonly expiresAt: Date | null;
};

export type SecretOrigin = "pasted" | "handshake";

/** A saved hook, with warnings for its owner. */
export type SavedHook = { readonly hook: HookRecord; readonly warnings: readonly string[] };

/** The columns and relations that make a whole hook, for Prisma's reads. */
export const wholeHook = {
  omit: { deletedAt: true },
  include: {
    account: { select: { slug: true } },
    fieldCursor: { select: { coveredUntil: true } },
    previousKeys: { select: { key: true, expiresAt: true }, orderBy: { id: "desc" } },
    paths: { select: { path: true, expiresAt: true } },
    secrets: {
      select: { id: true, hint: true, origin: true, createdAt: true, expiresAt: true },
      orderBy: { id: "desc" },
    },
  },
} as const satisfies Pick<Prisma.HookFindManyArgs, "omit" | "include">;

type HookRow = Prisma.HookGetPayload<typeof wholeHook>;

/** Stored JSON is parsed here and trusted from here on. */
export function toHookRecord({
  account,
  pendingSince,
  fieldCursor,
  paths,
  ...row
}: HookRow): HookRecord {
  const nowMs = Date.now();
  return {
    ...row,
    accountSlug: account.slug,
    path: paths.find(({ expiresAt }) => expiresAt === null)?.path ?? null,
    status: toStatus(hookStateSchema.parse(row.status), pendingSince !== null),
    pending: toPending(pendingSince),
    fieldSearchUntil:
      row.fieldSearch && fieldCursor !== null ? new Date(idTime(fieldCursor.coveredUntil)) : null,
    verification: hookVerificationSchema.nullable().parse(row.verification),
    dedupe: dedupeRuleSchema.parse(row.dedupe),
    eventType: eventTypeRuleSchema.parse(row.eventType),
    response: hookResponseSchema.nullable().parse(row.response),
    publish: hookPublishSchema.nullable().parse(row.publish),
    cors: hookCorsSchema.nullable().parse(row.cors),
    silence: hookSilenceSchema.parse(row.silence ?? {}),
    reply: storedHookReplySchema.nullable().parse(row.reply),
    previousKeys: [...row.previousKeys, ...paths.flatMap(toPreviousKey)]
      .filter(({ expiresAt }) => expiresAt.getTime() > nowMs)
      .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime()),
    secrets: row.secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > nowMs)
      .map(({ origin, ...secret }) => ({
        ...secret,
        origin: origin === "handshake" ? "handshake" : "pasted",
      })),
  };
}

function toPreviousKey({
  path,
  expiresAt,
}: {
  path: string;
  expiresAt: Date | null;
}): readonly PreviousKey[] {
  return expiresAt === null ? [] : [{ key: path, expiresAt }];
}

export function toStatus(state: HookState, isPending: boolean): HookStatus {
  return state === "active" && isPending ? "pending" : state;
}

function toPending(since: Date | null): HookPending | null {
  return since === null
    ? null
    : { since, until: new Date(since.getTime() + pendingLimits.days * 86_400_000) };
}
