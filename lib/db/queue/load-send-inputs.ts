import type { CredentialRow } from "#lib/core/sending/credential/open-saved.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { SendQuota } from "#lib/db/recipients/quotas.ts";
import {
  defaultSignatureHeaders,
  type SignatureHeaders,
} from "#lib/schema/send/signature-headers.ts";

/** A subscription as it was when its runs were loaded. */
export type SendTarget = {
  readonly subscriptionId: string;
  readonly accountId: string;
  /** False: it was disabled, or its new receiver URL has to agree first. */
  readonly isActive: boolean;
  readonly receiverUrl: string;
  /** True if the URL was entered in the portal, whose receivers have their own network rules. */
  readonly isPortalReceiver: boolean;
  readonly filterJson: string | null;
  readonly retryJson: string | null;
  readonly headersCiphertext: Uint8Array | null;
  readonly timeoutMs: number;
  /** Null: it gets the events that are for no recipient. */
  readonly recipient: string | null;
  readonly isOrdered: boolean;
  readonly secrets: readonly SealedSecret[];
  readonly signatureHeaders: SignatureHeaders;
  /** `first`, `newest`, or a date. */
  readonly payloadVersion: string;
  /** JavaScript that makes an event into the body that is sent. Null: the event itself. */
  readonly transform: string | null;
  /** Null: its calls have no saved credential. */
  readonly credential: CredentialRow | null;
  /** Settings of a receiver that isn't a URL. Null: the defaults. */
  readonly receiverJson: string | null;
  /** The name of the callback of an AI assistant. Null: it is none. */
  readonly callbackId: string | null;
  /** Null: its recipient gets any number of events. */
  readonly quota: SendQuota | null;
  /** Changes whenever the subscription, its secrets, its credential, or its account's settings for sending do. */
  readonly version: string;
};

export type SealedSecret = {
  readonly id: string;
  readonly kind: string;
  readonly ciphertext: Uint8Array;
  /** The time of expiry, as Unix time. Null: it doesn't expire. */
  readonly expiresAtMs: number | null;
};

/** The fields of an event that its runs need. */
export type RunEvent = {
  readonly id: string;
  readonly publicId: string;
  readonly type: string;
  readonly body: Uint8Array;
};

/** Loads the current subscriptions. Deleted ones are missing. */
export async function loadSendTargets(
  db: SqlDatabase,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, SendTarget>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<TargetRow[]>`
    select s.id, s.account_id, s.status, s.receiver_url, s.receiver_by_portal, s.filter::text as filter, s.retry::text as retry,
      encode(s.headers_ciphertext, 'base64') as headers, s.timeout_ms, s.recipient as "forRecipient", s.ordered, s.payload_version, s.xmin::text || '.' || coalesce(settings.xmin::text, '') as version,
      settings.signature_header, settings.catchment_signature, settings.standard_webhooks_headers,
      case when s.credential_id is not null then (
        select json_build_object('id', c.id, 'version', c.version, 'origin', c.origin, 'ciphertext', encode(c.ciphertext, 'base64'))::text
        from credentials c where c.id = s.credential_id
      ) end as credential, s.receiver::text as receiver, s.transform,
      callback.callback_id, r.id as recipient, r.quota_limit, r.quota_per, r.quota_when_used_up, secret.*
    from subscriptions s left join sender_settings settings on settings.account_id = s.account_id
    left join event_callbacks callback on callback.subscription_id = s.id
    left join recipients r on r.account_id = s.account_id and r.id = s.recipient and r.quota_limit is not null
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'ciphertext', encode(ciphertext, 'base64'),
        'expiresAtMs', date_part('epoch', expires_at) * 1000) order by id desc), '[]')::text as secrets
      from subscription_secrets where subscription_id = s.id and (expires_at is null or expires_at > now())
    ) secret
    where s.id = any (${[...subscriptionIds]}::uuid[]) and s.deleted_at is null`;
  return new Map(rows.map((row) => [row.id, toTarget(row)]));
}

/** Loads the events of claimed runs. Those that are no longer stored are missing. */
export async function loadEvents(
  db: SqlDatabase,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, RunEvent>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; publicId: string; type: string; body: string }[]>`
    select id, public_id as "publicId", type, encode(body, 'base64') as body from events
    where id = any (${[...eventIds]}::uuid[]) order by id`;
  return new Map(
    rows.map(({ body, ...event }) => [event.id, { ...event, body: Buffer.from(body, "base64") }]),
  );
}

function toTarget(row: TargetRow): SendTarget {
  const secrets = JSON.parse(row.secrets) as (Omit<SealedSecret, "ciphertext"> & {
    ciphertext: string;
  })[];
  return {
    subscriptionId: row.id,
    accountId: row.account_id,
    isActive: row.status === "active",
    receiverUrl: row.receiver_url,
    isPortalReceiver: row.receiver_by_portal,
    filterJson: row.filter,
    retryJson: row.retry,
    headersCiphertext: row.headers === null ? null : Buffer.from(row.headers, "base64"),
    timeoutMs: row.timeout_ms,
    recipient: row.forRecipient,
    isOrdered: row.ordered,
    signatureHeaders: toSignatureHeaders(row),
    callbackId: row.callback_id,
    quota: toQuota(row),
    payloadVersion: row.payload_version,
    transform: row.transform,
    credential: row.credential === null ? null : JSON.parse(row.credential),
    receiverJson: row.receiver,
    secrets: secrets.map((secret) => ({
      ...secret,
      ciphertext: Buffer.from(secret.ciphertext, "base64"),
    })),
    version: row.version,
  };
}

function toQuota(row: TargetRow): SendQuota | null {
  const { recipient, quota_limit: limit, quota_per: per, quota_when_used_up: whenUsedUp } = row;
  if (recipient === null || limit === null || per === null || whenUsedUp === null) return null;
  return { recipient, limit, per, whenUsedUp };
}

/** The defaults, if the account has saved no settings. */
function toSignatureHeaders(row: TargetRow): SignatureHeaders {
  const { signature_header, catchment_signature, standard_webhooks_headers } = row;
  return {
    signatureHeader: signature_header ?? defaultSignatureHeaders.signatureHeader,
    catchmentSignature: catchment_signature ?? defaultSignatureHeaders.catchmentSignature,
    standardWebhooksHeaders:
      standard_webhooks_headers ?? defaultSignatureHeaders.standardWebhooksHeaders,
  };
}

type TargetRow = {
  id: string;
  account_id: string;
  status: string;
  receiver_url: string;
  receiver_by_portal: boolean;
  filter: string | null;
  retry: string | null;
  headers: string | null;
  timeout_ms: number;
  forRecipient: string | null;
  ordered: boolean;
  payload_version: string;
  transform: string | null;
  /** As JSON. */
  credential: string | null;
  receiver: string | null;
  version: string;
  signature_header: string | null;
  catchment_signature: boolean | null;
  standard_webhooks_headers: boolean | null;
  callback_id: string | null;
  recipient: string | null;
  quota_limit: number | null;
  quota_per: SendQuota["per"] | null;
  quota_when_used_up: SendQuota["whenUsedUp"] | null;
  /** The secrets as JSON, newest first. */
  secrets: string;
};
