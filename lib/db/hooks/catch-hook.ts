import { aliveForMs, isAlive } from "#lib/db/listeners/connections.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import {
  type DedupeSource,
  dedupeRuleSchema,
  type EventTypeSource,
  eventTypeRuleSchema,
} from "#lib/schema/receive/event-rules.ts";
import { type HookPublish, hookPublishSchema } from "#lib/schema/receive/hook.ts";
import {
  type HookCors,
  type HookResponse,
  hookCorsSchema,
  hookResponseSchema,
} from "#lib/schema/receive/hook-response.ts";

/**
 * The two segments of a catch URL that identify the hook. `hookKey` is a generated key, or a path
 * that is unique in the account.
 */
export type CatchUrl = { readonly accountSlug: string; readonly hookKey: string };

/**
 * The stored columns of a hook that the catch path needs: rules are not parsed yet, secrets are
 * still sealed.
 */
export type CatchHookRow = {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  readonly provider: string;
  readonly verification: unknown;
  readonly dedupe: unknown;
  readonly eventType: unknown;
  readonly publish: unknown;
  /** Undefined in a copy that an earlier version left in the spool. */
  readonly cors?: unknown;
  readonly methods: readonly string[];
  readonly response: unknown;
  readonly splitBatches: boolean;
  readonly toleranceSeconds: number | null;
  /** Null: the default for the provider's events. */
  readonly replayProtection: boolean | null;
  /** The time for which the requested URL still works. Null: it is the current one. */
  readonly keyExpiresInMs: number | null;
  /**
   * The hook's generated key, if the URL has a path instead, which anyone can guess. Undefined in a
   * copy that an earlier version left in the spool.
   */
  readonly keyOfPath?: string | null;
  readonly ratePerSecond: number | null;
  /**
   * The time to wait for an action's reply. Null: no action replies, or it or the hook is not
   * active.
   */
  readonly replyWaitSeconds: number | null;
  /**
   * The listener that answers the provider, and the time for which it counts. Null: none does.
   * Undefined in a copy that an earlier version left in the spool.
   */
  readonly replyingListener?: ReplyingListenerRow | null;
  /**
   * Set while the hook awaits its first secret: the remaining time, and what it has stored since.
   */
  readonly pending: PendingRow | null;
  /** Active secrets by the database's clock, newest first. */
  readonly secrets: readonly SealedSecretRow[];
};

type ReplyingListenerRow = { readonly listenerId: string; readonly expiresInMs: number };

type PendingRow = {
  readonly ageSeconds: number;
  readonly deliveries: number;
  readonly bytes: number;
};

export type SealedSecretRow = {
  readonly id: string;
  /** The sealed secret in base64. */
  readonly ciphertext: string;
  /** The time for which it stays active. Null: until it is replaced. */
  readonly expiresInMs: number | null;
};

/**
 * The hooks of catch URLs. Both the account's slug and the hook's key must match. One statement and
 * one snapshot cover all of them, so a hook's secrets are always from the same moment, and the cost
 * is the same regardless of which part of a URL is wrong. Each URL is one look-up in each
 * of a few indexes, however many hooks its account has: the planner must not join another way.
 *
 * @returns one row per URL, in order. Null: unknown or deleted
 */
export async function findCatchHooks(
  db: SqlDatabase,
  urls: readonly CatchUrl[],
): Promise<readonly (CatchHookRow | null)[]> {
  const rows = await db.$queryRaw<(CatchHookRow & { position: number })[]>`
    with found as materialized (
      select
        wanted.position, account.id as account_id, named.hook_id is not null as is_path,
        coalesce(
          named.hook_id, previous.hook_id, (select id from hooks of_key where of_key.key = wanted.key)
        ) as hook_id,
        coalesce(named.expires_at, previous.expires_at) as expires_at
      from unnest(
        ${urls.map(({ accountSlug }) => accountSlug)}::text[],
        ${urls.map(({ hookKey }) => hookKey)}::text[]
      ) with ordinality as wanted(slug, key, position)
      left join lateral (select id from accounts where slug = wanted.slug limit 1) account on true
      left join lateral (
        select hook_id, expires_at from hook_paths
        where account_id = account.id and path = wanted.key and (expires_at is null or expires_at > now())
        limit 1
      ) named on true
      left join lateral (
        select hook_id, expires_at from hook_previous_keys where key = wanted.key and expires_at > now() limit 1
      ) previous on true
    )
    select
      found.position::int as position, hooks.id, hooks.account_id as "accountId", hooks.status, hooks.provider,
      hooks.verification, hooks.dedupe, hooks.event_type as "eventType", hooks.publish, hooks.cors, hooks.methods, hooks.response,
      hooks.split_batches as "splitBatches", hooks.tolerance_seconds as "toleranceSeconds",
      hooks.replay_protection as "replayProtection",
      extract(epoch from found.expires_at - now())::float8 * 1000 as "keyExpiresInMs",
      case when found.is_path then hooks.key end as "keyOfPath",
      hooks.rate_per_second as "ratePerSecond",
      case when hooks.answer is not null and hooks.status = 'active' and exists (
        select from actions
        where actions.id = (hooks.answer ->> 'actionId')::uuid and actions.hook_id = hooks.id
          and actions.enabled and actions.deleted_at is null
      ) then (hooks.answer ->> 'waitSeconds')::int end as "replyWaitSeconds",
      (
        select json_build_object('listenerId', c.listener_id, 'expiresInMs', ${aliveForMs})
        from replying_connections a join listener_connections c on c.id = a.connection_id
        where a.hook_id = hooks.id and ${isAlive}
      ) as "replyingListener",
      case when hooks.pending_since is not null then (
        select json_build_object(
          'ageSeconds', extract(epoch from now() - hooks.pending_since),
          'deliveries', count(*),
          'bytes', coalesce(sum(deliveries.body_size), 0)
        )
        from deliveries where deliveries.hook_id = hooks.id and deliveries.status = 'pending'
      ) end as pending,
      coalesce((
        select json_agg(json_build_object(
          'id', hook_secrets.id,
          'ciphertext', encode(hook_secrets.ciphertext, 'base64'),
          'expiresInMs', extract(epoch from hook_secrets.expires_at - now()) * 1000
        ) order by hook_secrets.id desc)
        from hook_secrets
        where hook_secrets.hook_id = hooks.id
          and (hook_secrets.expires_at is null or hook_secrets.expires_at > now())
      ), '[]'::json) as secrets
    from found
    join hooks on hooks.id = found.hook_id and hooks.account_id = found.account_id and hooks.deleted_at is null`;
  const found: (CatchHookRow | null)[] = urls.map(() => null);
  for (const row of rows) found[row.position - 1] = row;
  return found;
}

export type CatchRules = {
  readonly dedupe: readonly DedupeSource[];
  readonly eventType: readonly EventTypeSource[];
  readonly response: HookResponse | null;
  readonly publish: HookPublish | null;
  readonly cors: HookCors | null;
};

/**
 * Stored JSON is parsed here and trusted from here on. Throws if another version wrote it and this
 * one can't read it.
 */
export function parseCatchRules(
  row: Pick<CatchHookRow, "dedupe" | "eventType" | "response" | "publish" | "cors">,
): CatchRules {
  return {
    dedupe: listSources(dedupeRuleSchema.parse(row.dedupe)),
    eventType: listSources(eventTypeRuleSchema.parse(row.eventType)),
    response: hookResponseSchema.nullable().parse(row.response),
    publish: hookPublishSchema.nullable().parse(row.publish),
    cors: hookCorsSchema.nullable().parse(row.cors ?? null),
  };
}
