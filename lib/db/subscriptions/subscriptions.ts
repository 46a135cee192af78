import type { AllowList } from "#lib/core/address/allow-list.ts";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import {
  openHeaders,
  type SubscriptionHeaders,
  sealHeaders,
} from "#lib/core/sender/sealed-headers.ts";
import { requireCallableUrl, requireSameOrigin } from "#lib/core/sender/subscription-rules.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type {
  SubscriptionInput,
  SubscriptionPatch,
  SubscriptionSecretInput,
} from "#lib/schema/sender/subscription.ts";
import { cancelRunsOfDeletedSubscriptions } from "./purge-subscriptions.ts";
import {
  type SubscriptionRecord,
  type SubscriptionRow,
  type SubscriptionScope,
  subscriptionColumns,
  toSubscriptionRecord,
  writeStatusReason,
} from "./subscription-record.ts";
import {
  addKeyPair,
  addSecret,
  expireSecrets,
  generateSecret,
  readSecrets,
  removeKeyPairs,
  requireRoomForSecret,
} from "./subscription-secrets.ts";

/** What saving a subscription needs besides the subscription. */
export type SubscriptionRules = {
  readonly sealer: Sealer;
  /** What a new receiver URL may be: the portal's list if `isPortal`. */
  readonly allowList: AllowList;
  /**
   * The URL is entered in the portal. It always has to answer the challenge, and every call to it
   * stays under the portal's list until the account sets another one.
   */
  readonly isPortal?: boolean;
};

export type NewSubscription = {
  readonly subscription: SubscriptionRecord;
  /** In plain text. It can't be read again later. */
  readonly secret: string;
};

const maxSubscriptions = 1_000;

/**
 * Creates a subscription. If its receiver URL has to answer a challenge first, it is `pending` and
 * gets nothing else. Throws `invalid_request` for a URL that may not be called.
 */
export async function createSubscription(
  db: Database,
  accountId: string,
  input: SubscriptionInput,
  rules: SubscriptionRules,
): Promise<NewSubscription> {
  const { sealer } = rules;
  requireCallableUrl(input.receiverUrl, rules);
  const id = newId();
  const secret = input.secret ?? generateSecret();
  const { recipient } = input;
  const subscription = await db.$transaction(async (tx) => {
    await requireRoom(tx, accountId, recipient);
    if (recipient !== null) await ensureRecipient(tx, accountId, recipient);
    const isPending = await mustAnswerChallenge(tx, accountId, rules);
    await tx.$executeRaw`
      insert into subscriptions (
        id, account_id, recipient, receiver_url, description, event_types, filter, headers_ciphertext, rate_count,
        rate_seconds, max_concurrency, ordered, key_pair, metadata, retry, timeout_ms, status, status_reason,
        receiver_by_portal
      ) values (
        ${id}::uuid, ${accountId}::uuid, ${recipient}, ${input.receiverUrl}, ${input.description || null},
        ${[...input.eventTypes]}::text[], ${toJsonText(input.filter)}::json,
        ${sealHeaders(sealer, { id, accountId }, input.headers)}::bytea, ${input.rateLimit?.count ?? null}::int,
        ${input.rateLimit?.perSeconds ?? null}::int, ${input.maxConcurrency}::int, ${input.ordered}, ${input.keyPair},
        ${JSON.stringify(input.metadata)}::json, ${toJsonText(input.retry)}::json, ${input.timeoutMs}::int,
        ${isPending ? "pending" : "active"}, ${isPending ? writeStatusReason(awaitsChallenge) : null},
        ${rules.isPortal ?? false}
      )`;
    const owner = { accountId, subscriptionId: id };
    await writePatterns(tx, { ...owner, recipient, eventTypes: input.eventTypes });
    await addSecret(tx, owner, secret, sealer);
    if (input.keyPair) await addKeyPair(tx, owner, sealer);
    return getSubscription(tx, accountId, id);
  });
  return { subscription, secret };
}

/** Throws `not_found` if it is deleted, another account's, or not of the scope's recipient. */
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

/**
 * Omitted fields stay. A new receiver URL that has to answer the challenge makes the subscription
 * `pending`.
 */
export async function updateSubscription(
  db: Database,
  accountId: string,
  subscriptionId: string,
  patch: SubscriptionPatch,
  rules: SubscriptionRules & { readonly scope?: SubscriptionScope },
): Promise<SubscriptionRecord> {
  return await db.$transaction(async (tx) => {
    const before = await lockSubscription(tx, accountId, subscriptionId, rules.scope);
    const owner = { accountId, subscriptionId: before.id };
    const after = { ...before, ...withoutUndefined(patch) };
    const isNewUrl = after.receiverUrl !== before.receiverUrl;
    if (isNewUrl) requireCallableUrl(after.receiverUrl, rules);
    const isByPortal = isNewUrl ? (rules.isPortal ?? false) : before.receiverByPortal;
    const isPending = isNewUrl && (await mustAnswerChallenge(tx, accountId, rules));
    const retry = patch.retry === undefined ? before.retry : patch.retry;
    const headers = resealHeaders(before, patch, rules.sealer);
    await tx.$executeRaw`
      update subscriptions set
        receiver_url = ${after.receiverUrl}, receiver_by_portal = ${isByPortal}, description = ${after.description || null},
        event_types = ${[...after.eventTypes]}::text[], filter = ${toJsonText(after.filter)}::json,
        headers_ciphertext = ${headers}::bytea, rate_count = ${after.rateLimit?.count ?? null}::int,
        rate_seconds = ${after.rateLimit?.perSeconds ?? null}::int, max_concurrency = ${after.maxConcurrency}::int,
        ordered = ${after.ordered}, key_pair = ${after.keyPair}, metadata = ${JSON.stringify(after.metadata)}::json,
        retry = ${toJsonText(retry)}::json, timeout_ms = ${after.timeoutMs}::int,
        status = case when ${isPending} and status = 'active' then 'pending' else status end,
        status_reason = case when ${isPending} and status = 'active' then ${writeStatusReason(awaitsChallenge)} else status_reason end,
        updated_at = now()
      where id = ${before.id}::uuid and account_id = ${accountId}::uuid`;
    if (patch.eventTypes !== undefined) {
      const { recipient } = before;
      await writePatterns(tx, { ...owner, recipient, eventTypes: patch.eventTypes });
    }
    if (after.keyPair && !before.keyPair) await addKeyPair(tx, owner, rules.sealer);
    if (!after.keyPair && before.keyPair) await removeKeyPairs(tx, before.id);
    return getSubscription(tx, accountId, before.id);
  });
}

/** Adds a secret. The previous ones sign too for `expirePreviousAfterSeconds`. */
export async function rotateSubscriptionSecret(
  db: Database,
  accountId: string,
  subscriptionId: string,
  { secret = generateSecret(), expirePreviousAfterSeconds }: SubscriptionSecretInput,
  { sealer, scope }: { readonly sealer: Sealer; readonly scope?: SubscriptionScope },
): Promise<NewSubscription> {
  const subscription = await db.$transaction(async (tx) => {
    const { id } = await lockSubscription(tx, accountId, subscriptionId, scope);
    await expireSecrets(tx, id, expirePreviousAfterSeconds);
    await requireRoomForSecret(tx, id);
    await addSecret(tx, { accountId, subscriptionId: id }, secret, sealer);
    // Workers keep a subscription's secrets until its row changes.
    await tx.$executeRaw`update subscriptions set updated_at = now() where id = ${id}::uuid`;
    return getSubscription(tx, accountId, id);
  });
  return { subscription, secret };
}

/**
 * Deletes a subscription with its secrets and headers. The first few thousand open runs are
 * cancelled with it, the rest within about a minute.
 */
export async function deleteSubscription(
  db: Database,
  accountId: string,
  subscriptionId: string,
  scope: SubscriptionScope = {},
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id } = await lockSubscription(tx, accountId, subscriptionId, scope);
    await tx.$executeRaw`
      update subscriptions set deleted_at = now(), headers_ciphertext = null, updated_at = now() where id = ${id}::uuid`;
    await tx.$executeRaw`delete from subscription_patterns where subscription_id = ${id}::uuid`;
    await tx.$executeRaw`delete from subscription_secrets where subscription_id = ${id}::uuid`;
    await tx.$executeRaw`delete from subscription_health where subscription_id = ${id}::uuid`;
    await tx.$executeRaw`delete from notices where subscription_id = ${id}::uuid`;
  });
  await cancelRunsOfDeletedSubscriptions(db, { subscriptionId, batches: 1 });
}

/** Reads a subscription and locks its row until the transaction ends. */
export async function lockSubscription(
  tx: Prisma.TransactionClient,
  accountId: string,
  subscriptionId: string,
  scope: SubscriptionScope = {},
): Promise<SubscriptionRecord> {
  const id = requireId("subscription", subscriptionId);
  await tx.$queryRaw`select from subscriptions where id = ${id}::uuid and account_id = ${accountId}::uuid for no key update`;
  return getSubscription(tx, accountId, id, scope);
}

export const awaitsChallenge = {
  code: "challenge",
  detail: "The receiver URL has not answered the challenge yet.",
} as const;

/** The lock lets one caller at a time count and add. */
async function requireRoom(
  tx: Prisma.TransactionClient,
  accountId: string,
  recipient: string | null,
): Promise<void> {
  await tx.$queryRaw`select from accounts where id = ${accountId}::uuid for no key update`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from subscriptions
    where account_id = ${accountId}::uuid and recipient is not distinct from ${recipient}::text and deleted_at is null`;
  if ((row?.count ?? 0) < maxSubscriptions) return;
  throw new AppError("conflict", `A recipient has at most ${maxSubscriptions} subscriptions.`);
}

async function mustAnswerChallenge(
  tx: SqlStatements,
  accountId: string,
  { isPortal = false }: SubscriptionRules,
): Promise<boolean> {
  if (isPortal) return true;
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from sender_settings where account_id = ${accountId}::uuid and challenge_new_urls`;
  return rows.length > 0;
}

type Patterns = {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
};

async function writePatterns(
  tx: SqlStatements,
  { accountId, subscriptionId, recipient, eventTypes }: Patterns,
): Promise<void> {
  await tx.$executeRaw`delete from subscription_patterns where subscription_id = ${subscriptionId}::uuid`;
  await tx.$executeRaw`
    insert into subscription_patterns (account_id, recipient, pattern, subscription_id)
    select ${accountId}::uuid, ${recipient ?? ""}, pattern, ${subscriptionId}::uuid
    from unnest(${[...eventTypes]}::text[]) as given(pattern)`;
}

/** A patch adds, changes, and removes headers. They were given for one origin. */
function resealHeaders(
  before: SubscriptionRecord,
  { headers, receiverUrl }: SubscriptionPatch,
  sealer: Sealer,
): Uint8Array | null {
  const isMoved = receiverUrl !== undefined && receiverUrl !== before.receiverUrl;
  if (headers === null) return null;
  if (headers === undefined && !isMoved) return before.headersCiphertext;
  const kept = new Map(Object.entries(openHeaders(sealer, before)));
  const changes = Object.entries(headers ?? {});
  const changed = new Set(changes.map(([name]) => name.toLowerCase()));
  for (const name of kept.keys()) if (changed.has(name.toLowerCase())) kept.delete(name);
  if (isMoved && kept.size > 0) requireSameOrigin(before.receiverUrl, receiverUrl);
  const next: SubscriptionHeaders = Object.fromEntries([
    ...kept,
    ...changes.filter((change): change is [string, string] => change[1] !== null),
  ]);
  return sealHeaders(sealer, before, next);
}

function withoutUndefined(patch: SubscriptionPatch) {
  const { headers: _headers, retry: _retry, ...rest } = patch;
  return Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<SubscriptionRecord>;
}

function toJsonText(value: unknown): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  if (!written.ok)
    throw new AppError("invalid_request", `The subscription can't be stored: ${written.message}.`);
  return written.text;
}
