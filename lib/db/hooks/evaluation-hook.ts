import type { SealedSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { dedupeRuleSchema, eventTypeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { hookPublishSchema } from "#lib/schema/receive/hook.ts";
import { hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import type { HookRecord } from "./hook-record.ts";

/** The parts of a hook that decide the outcome of a request. */
export type EvaluationHook = Pick<
  HookRecord,
  | "id"
  | "accountId"
  | "accountSlug"
  | "key"
  | "path"
  | "provider"
  | "verification"
  | "dedupe"
  | "eventType"
  | "publish"
  | "splitBatches"
  | "replayProtection"
  | "toleranceSeconds"
> & {
  /** The last segments of replaced catch URLs. */
  readonly previousKeys: readonly { readonly key: string }[];
};

/** A hook for the worker, which has no Prisma models. */
export type AcceptingHook = EvaluationHook & {
  readonly methods: readonly string[];
  /** True if it accepts deliveries and has everything it needs to verify them. */
  readonly isReady: boolean;
};

type Row = Omit<AcceptingHook, "verification" | "dedupe" | "eventType" | "publish"> & {
  readonly verification: unknown;
  readonly dedupe: unknown;
  readonly eventType: unknown;
  readonly publish: unknown;
};

/** Finds a hook. Null: it is deleted, or belongs to another account. */
export function findAcceptingHook(
  db: SqlStatements,
  accountId: string,
  hookId: string,
): Promise<AcceptingHook | null> {
  return readHook(db, accountId, hookId);
}

/**
 * Finds the same hook and locks its row until the transaction ends, so that its deliveries are
 * accepted by one process at a time.
 */
export async function lockAcceptingHook(
  tx: SqlStatements,
  accountId: string,
  hookId: string,
): Promise<AcceptingHook | null> {
  await tx.$queryRaw`
    select id from hooks where id = ${hookId}::uuid and account_id = ${accountId}::uuid for no key update`;
  return readHook(tx, accountId, hookId);
}

async function readHook(
  db: SqlStatements,
  accountId: string,
  hookId: string,
): Promise<AcceptingHook | null> {
  const [row] = await db.$queryRaw<Row[]>`
    select h.id, h.account_id as "accountId", a.slug as "accountSlug", h.key, h.provider, h.verification, h.dedupe,
      (select p.path from hook_paths p where p.hook_id = h.id and p.expires_at is null) as path,
      h.event_type as "eventType", h.publish, h.methods, h.split_batches as "splitBatches", h.replay_protection as "replayProtection",
      h.tolerance_seconds as "toleranceSeconds", h.status <> 'disabled' and h.pending_since is null as "isReady",
      coalesce((
        select json_agg(json_build_object('key', p.key) order by p.expires_at desc)
        from (
          select key, expires_at from hook_previous_keys where hook_id = h.id
          union all
          select path, expires_at from hook_paths where hook_id = h.id and expires_at is not null
        ) p
      ), '[]'::json) as "previousKeys"
    from hooks h join accounts a on a.id = h.account_id
    where h.id = ${hookId}::uuid and h.account_id = ${accountId}::uuid and h.deleted_at is null`;
  if (row === undefined) return null;
  return {
    ...row,
    verification: hookVerificationSchema.nullable().parse(row.verification),
    dedupe: dedupeRuleSchema.parse(row.dedupe),
    eventType: eventTypeRuleSchema.parse(row.eventType),
    publish: hookPublishSchema.nullable().parse(row.publish),
  };
}

/** The active secrets of a hook by the database's clock, newest first. */
export function readActiveSecrets(
  db: SqlStatements,
  { id, accountId }: Pick<EvaluationHook, "id" | "accountId">,
): Promise<readonly SealedSecret[]> {
  return db.$queryRaw<SealedSecret[]>`
    select id, ciphertext from hook_secrets
    where hook_id = ${id}::uuid and account_id = ${accountId}::uuid
      and (expires_at is null or expires_at > now())
    order by id desc`;
}
