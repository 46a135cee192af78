import { randomBytes, randomInt } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { parseScopes } from "#lib/db/accounts/api-tokens.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  deviceSignInSeconds,
  pollSeconds,
  userCodeAlphabet,
} from "#lib/schema/account/device-sign-in.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";

/** The request of a tool. */
type Asked = {
  /** The machine's name, as it says. Null: it says none. */
  readonly host: string | null;
  readonly scopes: readonly ApiScope[];
  readonly address: string | null;
  /** The address range that counts as one client. */
  readonly client: string;
};

/** A sign-in that waits for a person. */
export type WaitingSignIn = Omit<Asked, "client"> & {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Anyone may ask, so that these bound the table. They count what waits for a person. */
export const maxWaiting = { ofClient: 20, inAll: 10_000 } as const;

/**
 * Stores a sign-in, and returns the code that the tool keeps (256 random bits) and the one that the person
 * types (8 characters, 40 bits). Only their SHA-256 is stored. Returns whose limit is reached otherwise.
 */
export async function insertDeviceSignIn(
  db: Database,
  { host, scopes, address, client }: Asked,
): Promise<{ readonly deviceCode: string; readonly userCode: string } | keyof typeof maxWaiting> {
  const deviceCode = randomBytes(32).toString("base64url");
  const userCode = Array.from(
    { length: 8 },
    () => userCodeAlphabet[randomInt(userCodeAlphabet.length)],
  ).join("");
  return await db.$transaction(async (tx) => {
    // One at a time counts and adds.
    await tx.$queryRaw`select pg_advisory_xact_lock(hashtext('device_sign_ins'))::text`;
    const [waiting] = await tx.$queryRaw<{ in_all: number; of_client: number }[]>`
      select count(*)::int as in_all, (count(*) filter (where client = ${client}))::int as of_client
      from device_sign_ins where expires_at > now() and decision is null`;
    if ((waiting?.of_client ?? 0) >= maxWaiting.ofClient) return "ofClient";
    if ((waiting?.in_all ?? 0) >= maxWaiting.inAll) return "inAll";
    await tx.$executeRaw`
      insert into device_sign_ins
        (id, device_hash, code_hash, host, scopes, address, client, interval_seconds, expires_at)
      values (${newId()}::uuid, ${hashToken(deviceCode)}, ${hashToken(userCode)}, ${host}, ${[...scopes]}::text[],
        ${address}, ${client}, ${pollSeconds}::int, now() + make_interval(secs => ${deviceSignInSeconds}::int))`;
    return { deviceCode, userCode };
  });
}

/** The sign-in that waits for a person under this code. Null: none. */
export async function findWaitingSignIn(
  db: Database,
  userCode: string,
): Promise<WaitingSignIn | null> {
  const [row] = await db.$queryRaw<WaitingRow[]>`
    select id, host, scopes, address, created_at as "createdAt", expires_at as "expiresAt" from device_sign_ins
    where code_hash = ${hashToken(userCode)} and decision is null and expires_at > now()`;
  return row === undefined ? null : { ...row, scopes: parseScopes(row.scopes) };
}

type WaitingRow = {
  id: string;
  host: string | null;
  scopes: string[];
  address: string | null;
  createdAt: Date;
  expiresAt: Date;
};

/**
 * Allows a sign-in that waits, for a member of the account. The tool has at least another minute to fetch its
 * token. False if someone else decided, or it has expired.
 */
export async function allowSignIn(
  tx: Transaction,
  id: string,
  allowed: {
    readonly accountId: string;
    readonly userId: string;
    readonly scopes: readonly ApiScope[];
  },
): Promise<boolean> {
  const { accountId, userId, scopes } = allowed;
  const count = await tx.$executeRaw`
    update device_sign_ins set decision = 'allowed', decided_at = now(), scopes = ${[...scopes]}::text[],
      account_id = ${accountId}::uuid, user_id = ${userId}::uuid,
      expires_at = greatest(expires_at, now() + interval '1 minute')
    where id = ${id}::uuid and decision is null and expires_at > now()`;
  return count === 1;
}

/** Denies a sign-in that waits. False like `allowSignIn`. */
export async function denySignIn(tx: Transaction, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    update device_sign_ins set decision = 'denied', decided_at = now()
    where id = ${id}::uuid and decision is null and expires_at > now()`;
  return count === 1;
}

/** How far a sign-in is, for the tool that asked for it. */
export type Polled =
  | { readonly state: "waiting" }
  /** Asked too soon: the pause is longer from now on. */
  | { readonly state: "too_soon"; readonly intervalSeconds: number }
  | { readonly state: "allowed"; readonly accountId: string }
  | { readonly state: "denied" }
  | { readonly state: "expired" }
  /** It never was, was claimed, or has been removed. */
  | { readonly state: "unknown" };

/**
 * Records a poll. While a person hasn't decided, one that comes sooner than its interval makes the interval 5 s
 * longer (RFC 8628 §3.5). A second is forgiven, for the network.
 */
export async function pollDeviceSignIn(db: Database, deviceCode: string): Promise<Polled> {
  const [row] = await db.$queryRaw<PolledRow[]>`
    update device_sign_ins d set polled_at = clock_timestamp(),
      interval_seconds = d.interval_seconds + case when was.is_too_soon then 5 else 0 end
    from (
      select id, decision is null and polled_at is not null
        and polled_at + make_interval(secs => interval_seconds - 1) > clock_timestamp() as is_too_soon
      from device_sign_ins where device_hash = ${hashToken(deviceCode)} for update
    ) was
    where d.id = was.id
    returning d.decision, d.account_id as "accountId", d.claimed_at is not null as "isClaimed",
      d.expires_at <= now() as "isExpired", was.is_too_soon as "isTooSoon", d.interval_seconds as "intervalSeconds"`;
  if (row === undefined || row.isClaimed) return { state: "unknown" };
  const { decision, accountId, isExpired, isTooSoon, intervalSeconds } = row;
  if (decision === "denied") return { state: "denied" };
  if (isExpired) return { state: "expired" };
  // Who allowed it has left the account.
  if (decision === "allowed" && accountId === null) return { state: "denied" };
  if (decision === "allowed" && accountId !== null) return { state: "allowed", accountId };
  return isTooSoon ? { state: "too_soon", intervalSeconds } : { state: "waiting" };
}

type PolledRow = {
  decision: string | null;
  accountId: string | null;
  isClaimed: boolean;
  isExpired: boolean;
  isTooSoon: boolean;
  intervalSeconds: number;
};

/** A sign-in of which the tool gets the token now. */
type ClaimedSignIn = {
  readonly host: string | null;
  readonly scopes: readonly ApiScope[];
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
};

/**
 * Claims a sign-in that was allowed, once, however many ask at the same time. Call it while the account is locked,
 * so that its person stays a member. Null: it was claimed, has expired, or the person has left the account.
 */
export async function claimDeviceSignIn(
  tx: Transaction,
  accountId: string,
  deviceCode: string,
): Promise<ClaimedSignIn | null> {
  const [row] = await tx.$queryRaw<ClaimedRow[]>`
    update device_sign_ins d set claimed_at = now()
    from memberships m join users u on u.id = m.user_id
    where d.device_hash = ${hashToken(deviceCode)} and d.decision = 'allowed' and d.claimed_at is null
      and d.expires_at > now() and d.account_id = ${accountId}::uuid
      and m.account_id = d.account_id and m.user_id = d.user_id
    returning d.host, d.scopes, m.user_id as "userId", m.role, u.email`;
  if (row === undefined || !isRole(row.role)) return null;
  return { ...row, role: row.role, scopes: parseScopes(row.scopes) };
}

type ClaimedRow = {
  host: string | null;
  scopes: string[];
  userId: string;
  role: string;
  email: string;
};

/** Removes sign-ins an hour after their end: until then, their tool is told how they ended. */
export async function pruneDeviceSignIns(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`
    delete from device_sign_ins where expires_at < now() - interval '1 hour'`;
}
