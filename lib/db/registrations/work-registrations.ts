/** What a worker does for a registration: a lease, and what the provider has. */

import { newId } from "#lib/base/ids.ts";
import { toArrayText } from "#lib/db/postgres/array-text.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { RecreateRule, RegistrationStatus } from "#lib/schema/receive/registration.ts";

/** A registration that this process has leased. */
export type LeasedRegistration = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly hookName: string;
  readonly isHookDeleted: boolean;
  readonly accountSlug: string;
  /** The last segment of the catch URL, and those of the ones before it that still work. */
  readonly lastSegment: string;
  readonly previousSegments: readonly string[];
  readonly provider: string;
  readonly resource: string;
  readonly eventTypes: readonly string[];
  readonly recreate: RecreateRule;
  readonly status: RegistrationStatus;
  readonly reason: string | null;
  readonly providerId: string | null;
  readonly url: string | null;
  readonly appliedTypes: readonly string[];
  readonly registeredTypes: readonly string[];
  readonly secretId: string | null;
  readonly isAdopted: boolean;
  readonly mayCreate: boolean;
  readonly revivedAtMs: number | null;
  readonly failingSinceMs: number | null;
  readonly tryCount: number;
  /** The last look that got through. */
  readonly checkedAtMs: number | null;
  /** When the provider ends it. Null: it doesn't, or it isn't known. */
  readonly expiresAtMs: number | null;
  readonly renewAtMs: number | null;
  readonly leaseId: string;
  /** Null: it was deleted. */
  readonly credential: {
    readonly id: string;
    readonly name: string;
    readonly origin: string;
    readonly version: number;
    /** Base64. */
    readonly ciphertext: string;
  } | null;
};

/** Longer than all requests of one look may take. */
export const leaseSeconds = 150;

/**
 * Leases registrations that no worker has and that are due. The time of the lease is the database's, and what is due
 * is compared with the given time. A hook that was deleted has one until the provider has it no more.
 */
export async function leaseRegistrations(
  db: SqlDatabase,
  nowMs: number,
  limit: number,
): Promise<readonly LeasedRegistration[]> {
  const leaseId = newId();
  const rows = await db.$queryRaw<Omit<LeasedRegistration, "leaseId">[]>`
    update registrations r set lease_id = ${leaseId}::uuid, leased_until = now() + ${leaseSeconds}::int * interval '1 second',
      next_at = to_timestamp(${nowMs}::float8 / 1000)
    from hooks h join accounts a on a.id = h.account_id
    where h.id = r.hook_id and r.id in (
      select id from registrations
      where next_at <= to_timestamp(${nowMs}::float8 / 1000) and coalesce(leased_until < now(), true)
      order by next_at limit ${limit}::int for update skip locked
    )
    returning r.id, r.account_id as "accountId", r.hook_id as "hookId", h.name as "hookName", h.deleted_at is not null as "isHookDeleted",
      a.slug as "accountSlug", coalesce((select p.path from hook_paths p where p.hook_id = h.id and p.expires_at is null), h.key) as "lastSegment",
      array(
        select key from hook_previous_keys where hook_id = h.id
        union all select path from hook_paths where hook_id = h.id and expires_at is not null
        union all select h.key
      )::text[] as "previousSegments",
      r.provider, r.resource, r.event_types as "eventTypes", r.recreate, r.status, r.reason, r.provider_id as "providerId", r.url,
      r.applied_types as "appliedTypes", r.registered_types as "registeredTypes", r.secret_id as "secretId", r.is_adopted as "isAdopted", r.may_create as "mayCreate",
      (extract(epoch from r.revived_at) * 1000)::float8 as "revivedAtMs",
      (extract(epoch from r.failing_since) * 1000)::float8 as "failingSinceMs", r.try_count as "tryCount",
      (extract(epoch from r.checked_at) * 1000)::float8 as "checkedAtMs", (extract(epoch from r.expires_at) * 1000)::float8 as "expiresAtMs",
      (extract(epoch from r.renew_at) * 1000)::float8 as "renewAtMs",
      (select json_build_object('id', c.id, 'name', c.name, 'origin', c.origin, 'version', c.version,
          'ciphertext', encode(c.ciphertext, 'base64'))
        from credentials c where c.id = r.credential_id and c.account_id = r.account_id) as credential`;
  return rows.map((row) => ({ ...row, leaseId }));
}

/** What is known of a registration after a look. */
export type RegistrationState = {
  readonly status: RegistrationStatus;
  readonly reason: string | null;
  readonly providerId: string | null;
  readonly url: string | null;
  readonly appliedTypes: readonly string[];
  readonly registeredTypes: readonly string[];
  readonly secretId: string | null;
  readonly isAdopted: boolean;
  readonly mayCreate: boolean;
  readonly revivedAtMs: number | null;
  /** Null: the provider couldn't be asked. */
  readonly checkedAtMs: number | null;
  readonly failingSinceMs: number | null;
  readonly tryCount: number;
  readonly expiresAtMs: number | null;
  readonly renewAtMs: number | null;
  readonly nextAtMs: number;
};

/** @returns false if another process has it by now, or it is gone. Then nothing is stored. */
export async function storeRegistration(
  tx: SqlStatements,
  { id, leaseId }: Pick<LeasedRegistration, "id" | "leaseId">,
  state: RegistrationState,
): Promise<boolean> {
  // What a person has changed since the lease is due at once, and isn't overwritten.
  const count = await tx.$executeRaw`
    update registrations set status = case when status = 'removing' then status else ${state.status}::text end,
      reason = ${state.reason}::text, provider_id = ${state.providerId}::text, url = ${state.url}::text,
      applied_types = ${toArrayText(state.appliedTypes)}::text[], registered_types = ${toArrayText(state.registeredTypes)}::text[],
      secret_id = ${state.secretId}::uuid, is_adopted = ${state.isAdopted}::boolean,
      may_create = case when next_at = to_timestamp(0) then may_create else ${state.mayCreate}::boolean end,
      revived_at = case when next_at = to_timestamp(0) then revived_at else to_timestamp(${state.revivedAtMs}::float8 / 1000) end,
      checked_at = coalesce(to_timestamp(${state.checkedAtMs}::float8 / 1000), checked_at),
      failing_since = to_timestamp(${state.failingSinceMs}::float8 / 1000), try_count = ${state.tryCount}::int,
      expires_at = to_timestamp(${state.expiresAtMs}::float8 / 1000), renew_at = to_timestamp(${state.renewAtMs}::float8 / 1000),
      next_at = case when next_at = to_timestamp(0) then next_at else to_timestamp(${state.nextAtMs}::float8 / 1000) end,
      lease_id = null, leased_until = null
    where id = ${id}::uuid and lease_id = ${leaseId}::uuid`;
  return count > 0;
}

/** Forgets a registration that the provider has no more. */
export async function deleteRegistration(
  tx: SqlStatements,
  { id, leaseId }: Pick<LeasedRegistration, "id" | "leaseId">,
): Promise<void> {
  await tx.$executeRaw`
    delete from registrations where id = ${id}::uuid and lease_id = ${leaseId}::uuid`;
}

/** True while a worker looks after the hook's registration, and may be creating a webhook. */
export async function isBeingRegistered(db: SqlStatements, hookId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from registrations where hook_id = ${hookId}::uuid and leased_until > now() limit 1`;
  return rows.length > 0;
}

/** True if the hook has accepted a delivery of a type since shortly before a time. */
export async function hasDeliveryOfType(
  db: SqlStatements,
  hookId: string,
  eventType: string,
  sinceMs: number,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from deliveries
    where hook_id = ${hookId}::uuid and id > uuid_v7_floor(to_timestamp(${sinceMs}::float8 / 1000) - interval '1 minute')
      and event_type = ${eventType}::text and status = 'accepted' limit 1`;
  return rows.length > 0;
}

type NewSecret = {
  readonly id: string;
  readonly accountId: string;
  readonly ciphertext: Uint8Array;
  readonly hint: string;
};

/**
 * Adds a secret to a hook, which also ends its wait for one. A trigger on its row notifies every process.
 *
 * @returns false if the hook has as many as it may have
 */
export async function addRegistrationSecret(
  tx: SqlStatements,
  hookId: string,
  secret: NewSecret,
  maxSecrets: number,
): Promise<boolean> {
  await tx.$queryRaw`select id from hooks where id = ${hookId}::uuid for no key update`;
  const added = await tx.$executeRaw`
    insert into hook_secrets (id, hook_id, account_id, ciphertext, hint)
    select ${secret.id}::uuid, ${hookId}::uuid, ${secret.accountId}::uuid, ${secret.ciphertext}, ${secret.hint}
    where (select count(*) from hook_secrets where hook_id = ${hookId}::uuid) < ${maxSecrets}::int`;
  if (added === 0) return false;
  await tx.$executeRaw`
    update hooks set pending_since = null, updated_at = now() where id = ${hookId}::uuid`;
  return true;
}
