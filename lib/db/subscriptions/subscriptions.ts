import { AppError } from "#lib/base/errors.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { SubscriptionInput } from "#lib/schema/send/subscription.ts";
import {
  type SubscriptionRecord,
  type SubscriptionRow,
  type SubscriptionScope,
  subscriptionColumns,
  toSubscriptionRecord,
  writeStatusReason,
} from "./subscription-record.ts";
import { readSecrets } from "./subscription-secrets.ts";

/** The columns that a save writes. Secrets have their own rows. */
export type SubscriptionColumns = Pick<
  SubscriptionRecord,
  "receiverUrl" | "receiverByPortal" | "headersCiphertext" | "status" | "statusReason" | "version"
> &
  Readonly<Omit<SubscriptionInput, "receiverUrl" | "recipient" | "headers" | "secret" | "version">>;

type Owner = Pick<SubscriptionRecord, "id" | "accountId" | "recipient">;

export async function insertSubscription(
  tx: Transaction,
  owner: Owner,
  row: SubscriptionColumns,
): Promise<void> {
  const { id, accountId, recipient } = owner;
  const { headersCiphertext, rateLimit, statusReason } = row;
  await tx.$executeRaw`
    insert into subscriptions (
      id, account_id, recipient, receiver_url, description, event_types, filter, headers_ciphertext, rate_count,
      rate_seconds, max_concurrency, ordered, key_pair, metadata, retry, timeout_ms, status, status_reason,
      receiver_by_portal, payload_version, credential_id, receiver, transform
    ) values (
      ${id}::uuid, ${accountId}::uuid, ${recipient}, ${row.receiverUrl}, ${row.description || null},
      ${[...row.eventTypes]}::text[], ${toJsonText(row.filter)}::json, ${headersCiphertext}::bytea,
      ${rateLimit?.count ?? null}::int, ${rateLimit?.perSeconds ?? null}::int, ${row.maxConcurrency}::int, ${row.ordered},
      ${row.keyPair}, ${JSON.stringify(row.metadata)}::json, ${toJsonText(row.retry)}::json, ${row.timeoutMs}::int,
      ${row.status}, ${statusReason === null ? null : writeStatusReason(statusReason)}, ${row.receiverByPortal},
      ${row.version}, ${row.credentialId}::uuid, ${toJsonText(row.receiver)}::json, ${row.transform}
    )`;
  await writePatterns(tx, owner, row.eventTypes);
}

/** Replaces the columns of a subscription that the caller has locked, but not its patterns. */
export async function changeSubscription(
  tx: SqlStatements,
  { id, accountId }: Owner,
  row: SubscriptionColumns,
): Promise<void> {
  const { headersCiphertext, rateLimit, statusReason } = row;
  await tx.$executeRaw`
    update subscriptions set
      receiver_url = ${row.receiverUrl}, receiver_by_portal = ${row.receiverByPortal},
      description = ${row.description || null}, event_types = ${[...row.eventTypes]}::text[],
      filter = ${toJsonText(row.filter)}::json, headers_ciphertext = ${headersCiphertext}::bytea,
      rate_count = ${rateLimit?.count ?? null}::int, rate_seconds = ${rateLimit?.perSeconds ?? null}::int,
      max_concurrency = ${row.maxConcurrency}::int, ordered = ${row.ordered}, key_pair = ${row.keyPair},
      metadata = ${JSON.stringify(row.metadata)}::json, retry = ${toJsonText(row.retry)}::json,
      timeout_ms = ${row.timeoutMs}::int, payload_version = ${row.version}, credential_id = ${row.credentialId}::uuid,
      receiver = ${toJsonText(row.receiver)}::json, transform = ${row.transform}, status = ${row.status},
      status_reason = ${statusReason === null ? null : writeStatusReason(statusReason)}, updated_at = now()
    where id = ${id}::uuid and account_id = ${accountId}::uuid`;
}

/** Makes workers reload a subscription, since they cache its secrets until its row changes. */
export async function touchSubscription(tx: Transaction, id: string): Promise<void> {
  await tx.subscription.update({
    where: { id },
    data: { updatedAt: new Date() },
    select: { id: true },
  });
}

/** Counts the subscriptions of a recipient; null: those without a recipient. */
export async function countOfRecipient(
  tx: Transaction,
  accountId: string,
  recipient: string | null,
): Promise<number> {
  return await tx.subscription.count({ where: { accountId, recipient, deletedAt: null } });
}

/**
 * Throws `not_found` if it is deleted, or belongs to another account or not to the scope's
 * recipient.
 */
export async function getSubscription(
  db: SqlStatements,
  accountId: string,
  subscriptionId: string,
  { recipient }: SubscriptionScope = {},
): Promise<SubscriptionRecord> {
  const id = requireId("subscription", subscriptionId);
  const [row] = await db.$queryRaw<SubscriptionRow[]>`
    select ${subscriptionColumns} from subscriptions s
    where s.id = ${id}::uuid and s.account_id = ${accountId}::uuid and s.deleted_at is null
      and (${recipient ?? null}::text is null or s.recipient = ${recipient ?? null})`;
  if (row === undefined) throw notFound("subscription");
  return toSubscriptionRecord(row, (await readSecrets(db, [id])).get(id) ?? []);
}

/** Deletes a locked subscription with its secrets and headers. */
export async function deleteSubscription(tx: Transaction, subscriptionId: string): Promise<void> {
  // By the database's clock, which the purge compares it with.
  await tx.$executeRaw`
    update subscriptions set deleted_at = now(), headers_ciphertext = null, credential_id = null, transform = null,
      updated_at = now()
    where id = ${subscriptionId}::uuid`;
  const where = { subscriptionId };
  await tx.subscriptionPattern.deleteMany({ where });
  await tx.subscriptionSecret.deleteMany({ where });
  await tx.subscriptionHealth.deleteMany({ where });
  await tx.notice.deleteMany({ where });
}

/** Reads a subscription and locks its row until the transaction ends. */
export async function lockSubscription(
  tx: Transaction,
  accountId: string,
  subscriptionId: string,
  scope: SubscriptionScope = {},
): Promise<SubscriptionRecord> {
  const id = requireId("subscription", subscriptionId);
  await tx.$queryRaw`select from subscriptions where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
  return getSubscription(tx, accountId, id, scope);
}

/** Writes one row for each event type or pattern, by which events find their subscriptions. */
export async function writePatterns(
  tx: Transaction,
  { id: subscriptionId, accountId, recipient }: Owner,
  eventTypes: readonly string[],
): Promise<void> {
  const owner = { accountId, recipient: recipient ?? "", subscriptionId };
  await tx.subscriptionPattern.deleteMany({ where: { subscriptionId } });
  await tx.subscriptionPattern.createMany({
    data: eventTypes.map((pattern) => ({ ...owner, pattern })),
  });
}

function toJsonText(value: unknown): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The subscription can't be stored: ${written.message}.`);
  return written.text;
}
