import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";
import type { RetrySchedule } from "#lib/schema/act/retry-schema.ts";
import { type RateLimit, toRateLimit } from "#lib/schema/field/rate-limit.ts";
import type { ReceiverSettings } from "#lib/schema/send/receiver-settings.ts";
import type { Metadata } from "#lib/schema/send/recipient.ts";
import { type StatusReason, subscriptionInputSchema } from "#lib/schema/send/subscription.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

/**
 * The subscriptions that a caller may see: those of the whole account, or of one recipient (the
 * portal).
 */
export type SubscriptionScope = { readonly recipient?: string | undefined };

/** A subscription as its owner sees it. Secrets appear as hints, and headers stay sealed. */
export type SubscriptionRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string | null;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly filter: ActionFilter | null;
  readonly headersCiphertext: Uint8Array | null;
  readonly rateLimit: RateLimit | null;
  readonly maxConcurrency: number | null;
  readonly ordered: boolean;
  readonly keyPair: boolean;
  readonly metadata: Metadata;
  readonly retry: RetrySchedule;
  readonly timeoutMs: number;
  /** `first`, `newest`, or a date. */
  readonly version: string;
  /** The saved credential of its calls. */
  readonly credentialId: string | null;
  /** What may be shown of it. */
  readonly credential: CredentialSettings | null;
  /** Settings of a receiver that isn't a URL. Null: the defaults. */
  readonly receiver: ReceiverSettings | null;
  /** JavaScript that makes an event into the body that is sent. Null: the event itself. */
  readonly transform: string | null;
  readonly status: SubscriptionStatus;
  /** Null: it is active. */
  readonly statusReason: StatusReason | null;
  /**
   * The time since which every call has failed. Null: the last one succeeded, or there was none.
   */
  readonly failingSince: Date | null;
  /**
   * True if its receiver URL was entered in the portal: `CATCHMENT_PORTAL_EGRESS_ALLOW` applies.
   */
  readonly receiverByPortal: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The secrets that sign now, newest first. */
  readonly secrets: readonly SubscriptionSecretSummary[];
};

export type SubscriptionSecretSummary = {
  readonly id: string;
  readonly kind: "hmac" | "ed25519";
  /** The last 4 characters. */
  readonly hint: string;
  /** The public key of a key pair: `whpk_…`. */
  readonly publicKey: string | null;
  readonly createdAt: Date;
  /** The time of expiry. Null: active until it is replaced. */
  readonly expiresAt: Date | null;
};

/** JSON is read as text: numbers in a filter may have more digits than JavaScript's. */
export const subscriptionColumns = Prisma.sql`
  s.id, s.account_id, s.recipient, s.receiver_url, s.description, s.event_types,
  s.filter::text as filter, s.headers_ciphertext, s.rate_count, s.rate_seconds, s.max_concurrency,
  s.ordered, s.key_pair, s.metadata::text as metadata, s.retry::text as retry, s.timeout_ms,
  s.payload_version, s.transform, s.status,
  s.status_reason, s.receiver_by_portal, s.created_at, s.updated_at, s.credential_id, s.receiver::text as receiver,
  (select settings::text from credentials where id = s.credential_id) as credential,
  (select failing_since from subscription_health where subscription_id = s.id) as failing_since`;

export type SubscriptionRow = {
  id: string;
  account_id: string;
  recipient: string | null;
  receiver_url: string;
  description: string | null;
  event_types: string[];
  filter: string | null;
  headers_ciphertext: Uint8Array | null;
  rate_count: number | null;
  rate_seconds: number | null;
  max_concurrency: number | null;
  ordered: boolean;
  key_pair: boolean;
  metadata: string | null;
  retry: string | null;
  timeout_ms: number;
  payload_version: string;
  credential_id: string | null;
  credential: string | null;
  receiver: string | null;
  transform: string | null;
  status: SubscriptionStatus;
  status_reason: string | null;
  failing_since: Date | null;
  receiver_by_portal: boolean;
  created_at: Date;
  updated_at: Date;
};

const {
  filter: filterSchema,
  retry: retrySchema,
  receiver: receiverSchema,
} = subscriptionInputSchema.shape;

/** Stored JSON is parsed here and trusted from here on. */
export function toSubscriptionRecord(
  row: SubscriptionRow,
  secrets: readonly SubscriptionSecretSummary[],
): SubscriptionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    recipient: row.recipient,
    receiverUrl: row.receiver_url,
    description: row.description,
    eventTypes: row.event_types,
    filter: row.filter === null ? null : filterSchema.parse(parseStored(row.filter)),
    headersCiphertext: row.headers_ciphertext,
    rateLimit: toRateLimit(row),
    maxConcurrency: row.max_concurrency,
    ordered: row.ordered,
    keyPair: row.key_pair,
    metadata: row.metadata === null ? {} : (JSON.parse(row.metadata) as Metadata),
    retry: readRetry(row.retry),
    timeoutMs: row.timeout_ms,
    version: row.payload_version,
    credentialId: row.credential_id,
    credential: row.credential === null ? null : (JSON.parse(row.credential) as CredentialSettings),
    receiver: row.receiver === null ? null : receiverSchema.parse(JSON.parse(row.receiver)),
    transform: row.transform,
    status: row.status,
    statusReason: readStatusReason(row.status_reason),
    failingSince: row.failing_since,
    receiverByPortal: row.receiver_by_portal,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    secrets,
  };
}

/** Reads a reason, which is stored as `code: sentence`. */
function readStatusReason(text: string | null): StatusReason | null {
  const [, code, detail] = /^(\w+): (.*)$/s.exec(text ?? "") ?? [];
  if (code === undefined || detail === undefined) return null;
  return { code: code as StatusReason["code"], detail };
}

export function writeStatusReason({ code, detail }: StatusReason): string {
  return `${code}: ${detail}`;
}

function readRetry(text: string | null): RetrySchedule {
  const stored = text === null ? null : retrySchema.parse(JSON.parse(text));
  const { maxAttempts, initialDelayMs, maxDelayMs } = stored ?? defaultRetryPolicy;
  return { maxAttempts, initialDelayMs, maxDelayMs };
}

function parseStored(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(`A stored subscription can't be read: ${parsed.message}`);
  return parsed.value;
}
