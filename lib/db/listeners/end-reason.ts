import type { Database } from "#lib/db/postgres/client.ts";
import { isAlive } from "./connections.ts";

/** Why a stream ends although its token still counts. */
export type EndReason =
  | "account_deleted"
  | "listener_deleted"
  | "hooks_deleted"
  | "disconnected"
  | "replaced"
  | "no_heartbeat";

type Stream = {
  readonly accountId: string;
  readonly listenerId: string;
  readonly connectionId: string;
  /** From `startStream`. */
  readonly stream: bigint;
};

/** Null: it continues. */
export async function findEndReason(
  db: Database,
  { accountId, listenerId, connectionId, stream }: Stream,
): Promise<EndReason | null> {
  const [facts] = await db.$queryRaw<
    {
      isAccountDeleted: boolean;
      isDeleted: boolean;
      isWithoutHooks: boolean;
      latest: bigint | null;
      isAlive: boolean;
    }[]
  >`
    select a.deleted_at is not null as "isAccountDeleted", me.id is null as "isDeleted", c.stream as latest, coalesce(${isAlive}, false) as "isAlive",
      coalesce(me.hook_ids <> '{}' and not exists (
        select from hooks h where h.id = any (me.hook_ids) and h.account_id = ${accountId}::uuid and h.deleted_at is null
      ), false) as "isWithoutHooks"
    from accounts a left join listeners me on me.id = ${listenerId}::uuid and me.account_id = ${accountId}::uuid
    left join listener_connections c on c.id = ${connectionId}::uuid and c.listener_id = me.id
    where a.id = ${accountId}::uuid`;
  if (facts === undefined || facts.isAccountDeleted) return "account_deleted";
  if (facts.isDeleted) return "listener_deleted";
  if (facts.isWithoutHooks) return "hooks_deleted";
  if (facts.latest === null) return "disconnected";
  if (facts.latest !== stream) return "replaced";
  return facts.isAlive ? null : "no_heartbeat";
}
