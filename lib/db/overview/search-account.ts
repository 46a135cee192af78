import { isId } from "#lib/base/ids.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";
import { hashEventId, type IdentitySource } from "#lib/core/verify/dedupe/identify-event.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { runSourcesOf } from "#lib/db/runs/run-sources.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { dedupeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { type SendingResult, searchSending } from "./search-sending.ts";

/** A search result within an account. */
export type SearchResult =
  | SendingResult
  | { readonly kind: "hook"; readonly id: string; readonly name: string }
  | {
      readonly kind: "action";
      readonly id: string;
      readonly name: string;
      readonly hookName: string;
    }
  | {
      readonly kind: "delivery";
      readonly id: string;
      readonly eventType: string | null;
      readonly eventId: string | null;
      readonly hookName: string;
      readonly receivedAt: Date;
    }
  | {
      readonly kind: "run";
      readonly id: string;
      readonly deliveryId: string;
      readonly actionName: string;
    };

/**
 * Finds hooks and actions by part of their name, deliveries by the exact id of their event, anything
 * by its own id, and what is sent (see `searchSending`): at most six of each kind. Deliveries are found by index, regardless of
 * their number.
 */
export async function searchAccount(
  db: Database,
  accountId: string,
  text: string,
): Promise<readonly SearchResult[]> {
  const id = isId(text.toLowerCase()) ? text.toLowerCase() : null;
  const [hooks, actions, deliveries, runs, sending] = await Promise.all([
    findHooks(db, accountId, text, id),
    findActions(db, accountId, text, id),
    findDeliveries(db, accountId, text, id),
    id === null ? [] : findRuns(db, accountId, id),
    searchSending(db, accountId, { text, id, limit: maxPerKind }),
  ]);
  return [...hooks, ...actions, ...deliveries, ...runs, ...sending];
}

const maxPerKind = 6;

async function findHooks(
  db: Database,
  accountId: string,
  text: string,
  id: string | null,
): Promise<readonly SearchResult[]> {
  const rows = await db.$queryRaw<{ id: string; name: string }[]>`
    select id, name from hooks
    where account_id = ${accountId}::uuid and deleted_at is null
      and (id = ${id}::uuid or strpos(lower(name), lower(${text})) > 0)
    order by strpos(lower(name), lower(${text})), id desc limit ${maxPerKind}::int`;
  return rows.map((row) => ({ kind: "hook", ...row }));
}

async function findActions(
  db: Database,
  accountId: string,
  text: string,
  id: string | null,
): Promise<readonly SearchResult[]> {
  const rows = await db.$queryRaw<{ id: string; name: string; hook_name: string }[]>`
    select a.id, a.name, h.name as hook_name from actions a join hooks h on h.id = a.hook_id
    where a.account_id = ${accountId}::uuid and a.deleted_at is null and h.deleted_at is null
      and (a.id = ${id}::uuid or strpos(lower(a.name), lower(${text})) > 0)
    order by strpos(lower(a.name), lower(${text})), a.id desc limit ${maxPerKind}::int`;
  return rows.map((row) => ({
    kind: "action",
    id: row.id,
    name: row.name,
    hookName: row.hook_name,
  }));
}

type DeliveryRow = {
  id: string;
  event_type: string | null;
  event_id: string | null;
  hook_name: string;
  received_at: Date;
};

/** The dedupe keys find an event at once, regardless of how often it was repeated. */
async function findDeliveries(
  db: Database,
  accountId: string,
  text: string,
  id: string | null,
): Promise<readonly SearchResult[]> {
  const hashes = hashEventId(text, await listIdentitySources(db, accountId));
  const hooks = await db.hook.findMany({
    where: { accountId, deletedAt: null },
    select: { id: true },
  });
  const keys = hooks.flatMap((hook) => hashes.map((hash) => toDedupeKey(hook.id, hash)));
  const rows = await db.$queryRaw<DeliveryRow[]>`
    with wanted as (
      select ${id}::uuid as id where ${id}::uuid is not null
      union
      select delivery_id from dedupe_keys where key = any (${keys}::uuid[])
    )
    select d.id, d.event_type, d.event_id, h.name as hook_name, d.received_at
    from wanted cross join lateral (
      select * from deliveries where id = wanted.id and account_id = ${accountId}::uuid limit 1
    ) d join hooks h on h.id = d.hook_id and h.deleted_at is null
    order by d.id desc limit ${maxPerKind}::int`;
  return rows.map((row) => ({
    kind: "delivery",
    id: row.id,
    eventType: row.event_type,
    eventId: row.event_id,
    hookName: row.hook_name,
    receivedAt: row.received_at,
  }));
}

/** The paths where the account's hooks find their event ids. */
async function listIdentitySources(
  db: Database,
  accountId: string,
): Promise<readonly IdentitySource[]> {
  const rows = await db.$queryRaw<{ provider: string; dedupe: unknown }[]>`
    select distinct on (provider, dedupe::text) provider, dedupe from hooks
    where account_id = ${accountId}::uuid and deleted_at is null limit ${maxRules}::int`;
  const sources = rows.flatMap(({ provider, dedupe }) => [
    ...listSources<IdentitySource>(dedupeRuleSchema.parse(dedupe)),
    ...(findProvider(provider)?.batch?.eventId ?? []).flatMap((paths) =>
      paths.length === 1 ? paths.map((path) => ({ from: "body", path }) as const) : [],
    ),
  ]);
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

const maxRules = 200;

async function findRuns(
  db: Database,
  accountId: string,
  id: string,
): Promise<readonly SearchResult[]> {
  const rows = await db.$queryRaw<{ id: string; delivery_id: string; name: string }[]>`
    select r.id, r.delivery_id, a.name from ${runSourcesOf(Prisma.sql`array[${id}::uuid]`)}
    where r.account_id = ${accountId}::uuid and r.delivery_id is not null and a.id is not null`;
  return rows.map((row) => ({
    kind: "run",
    id: row.id,
    deliveryId: row.delivery_id,
    actionName: row.name,
  }));
}
