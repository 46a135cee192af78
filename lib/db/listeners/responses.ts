import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { ListenerReply } from "./listener-replies.ts";

/** The bytes of a response's body that are kept. */
const maxKeptBytes = 16 * 1024;
/** More listeners than these hear one hook only by mistake. */
const maxListed = 50;

/** What a program is done with, and what the program behind it responded. */
export type Acknowledgment = {
  readonly cursor: bigint;
  readonly deliveryId: string;
  /** Null: nothing responded. */
  readonly response: NewResponse | null;
};

type NewResponse = {
  readonly status: number;
  /** Without credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bodyBase64: string;
  /** The size of the whole body. */
  readonly bodyBytes: number;
  readonly durationMs: number;
  /** What the provider gets. Omitted: its listener doesn't answer. */
  readonly reply?: ListenerReply;
};

type Of = {
  readonly accountId: string;
  readonly listenerId: string;
  readonly connectionId: string;
};

/**
 * Removes acknowledged frames, of any connection, and keeps their responses. A frame that has been
 * handed over again has another cursor, and stays.
 *
 * @returns the cursors of those that were removed
 */
export async function acknowledgeFrames(
  db: Database | Transaction,
  { accountId, listenerId, connectionId }: Of,
  acknowledged: readonly Acknowledgment[],
): Promise<readonly bigint[]> {
  if (acknowledged.length === 0) return [];
  const rows = await db.$queryRaw<{ cursor: bigint }[]>`
    with acks as materialized (
      select * from json_to_recordset(${JSON.stringify(acknowledged.map(toRow))}::json) as t(
        cursor bigint, delivery_id uuid, status int, headers text, body text, body_bytes bigint, ms int,
        reply text)
    ), removed as (
      delete from listener_frames f using acks
      where f.listener_id = ${listenerId}::uuid and f.account_id = ${accountId}::uuid
        and f.cursor = acks.cursor and f.delivery_id = acks.delivery_id
      returning f.cursor
    ), latest as (
      select distinct on (acks.delivery_id) acks.* from acks join removed using (cursor)
      join deliveries d on d.id = acks.delivery_id and d.account_id = ${accountId}::uuid
      where acks.status is not null order by acks.delivery_id, acks.cursor desc
    ), kept as (
      insert into listener_responses (delivery_id, listener_id, cursor, account_id, listener_name, owner_name, host, status,
        headers, body, body_bytes, duration_ms, reply)
      select latest.delivery_id, me.id, latest.cursor, me.account_id, me.name, me.owner_name, c.host, latest.status,
        latest.headers::json, substring(decode(latest.body, 'base64') for ${maxKeptBytes}::int), latest.body_bytes, latest.ms,
        latest.reply::json
      from latest join listeners me on me.id = ${listenerId}::uuid and me.account_id = ${accountId}::uuid
      join listener_connections c on c.listener_id = me.id and c.id = ${connectionId}::uuid
      on conflict (delivery_id, listener_id) do update set cursor = excluded.cursor, listener_name = excluded.listener_name,
        owner_name = excluded.owner_name, host = excluded.host, status = excluded.status, headers = excluded.headers,
        body = excluded.body, body_bytes = excluded.body_bytes, duration_ms = excluded.duration_ms,
        reply = coalesce(excluded.reply, listener_responses.reply), responded_at = excluded.responded_at
    )
    select cursor from removed`;
  return rows.map(({ cursor }) => cursor);
}

function toRow({ cursor, deliveryId: delivery_id, response }: Acknowledgment) {
  return {
    ...{ cursor: String(cursor), delivery_id, status: response?.status ?? null },
    // As text: what reads records would reject a NUL in a value.
    headers: JSON.stringify(response?.headers ?? []),
    ...{ body: response?.bodyBase64 ?? "", body_bytes: response?.bodyBytes ?? 0 },
    ms: response?.durationMs ?? 0,
    reply: response?.reply ? JSON.stringify(response.reply) : null,
  };
}

/** The latest response that came through a listener. */
export type ResponseRecord = {
  readonly listenerId: string;
  /** As it was. Null: it had none. */
  readonly listenerName: string | null;
  readonly ownerName: string;
  readonly host: string;
  readonly status: number;
  /** JSON of `headers`, pairs without credentials, and `body`, the beginning of it in base64. */
  readonly responseJson: string;
  readonly bodyBytes: number;
  readonly durationMs: number;
  /** True if the listener answers its provider. */
  readonly replies: boolean;
  readonly respondedAt: Date;
};

/** What listeners responded to a delivery, newest first. */
export async function listResponses(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<readonly ResponseRecord[]> {
  return await db.$queryRaw<ResponseRecord[]>`
    select listener_id as "listenerId", listener_name as "listenerName", owner_name as "ownerName", host, status,
      json_build_object('headers', headers, 'body', translate(encode(body, 'base64'), E'\n', ''))::text as "responseJson",
      body_bytes::float8 as "bodyBytes", duration_ms as "durationMs", reply is not null as replies, responded_at as "respondedAt"
    from listener_responses where delivery_id = ${deliveryId}::uuid and account_id = ${accountId}::uuid
    order by responded_at desc, listener_id desc limit ${maxListed}::int`;
}
