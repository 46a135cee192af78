import { logCounted } from "#lib/base/log-counted.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { createApiToken, findHeldToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { lockAccountIfAny } from "#lib/db/accounts/lock-account.ts";
import {
  claimDeviceSignIn,
  insertDeviceSignIn,
  type Polled,
  pollDeviceSignIn,
} from "#lib/db/sign-in/device-sign-ins.ts";
import { cliClientId, deviceTokenDays } from "#lib/schema/account/device-sign-in.ts";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { type AuditContext, audit } from "#lib/services/frame/audit.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** A tool has no actor: its codes authorize, and then the person who allowed it acts. */
type Parts = Omit<AuditContext, "actor">;

type AskedSignIn = {
  readonly host: string | null;
  readonly scopes: readonly ApiScope[];
  readonly address: string | null;
  /** The address range that counts as one client. Null: it is unknown. */
  readonly client: string | null;
};

/** Begins a sign-in for a tool. `ofClient`, `inAll`: too many wait for a person, from there or in total. */
export async function startDeviceSignIn(
  { db }: Pick<ServiceParts, "db">,
  { client, ...asked }: AskedSignIn,
): Promise<Awaited<ReturnType<typeof insertDeviceSignIn>>> {
  const made = await insertDeviceSignIn(db, { ...asked, client: client ?? "unknown" });
  const { address } = asked;
  if (typeof made === "string") logCounted("warn", "device_sign_in.throttled", { address });
  else logCounted("info", "device_sign_in.asked", { address });
  return made;
}

/** The one token of a sign-in. */
type DeviceToken = {
  readonly state: "claimed";
  readonly token: string;
  readonly scopes: readonly ApiScope[];
  readonly account: { readonly id: string; readonly slug: string; readonly name: string };
};

/**
 * Makes the token of a sign-in that was allowed: an API token of the person who allowed it, which can do neither
 * more than the page said nor more than their role now. However many ask at once, one gets it.
 */
export async function claimDeviceToken(
  parts: Parts,
  deviceCode: string,
): Promise<DeviceToken | Exclude<Polled, { readonly state: "allowed" }>> {
  const polled = await pollDeviceSignIn(parts.db, deviceCode);
  if (polled.state !== "allowed") return polled;
  const { accountId } = polled;
  return await parts.db.$transaction(async (tx) => {
    if (!(await lockAccountIfAny(tx, accountId))) return { state: "denied" };
    const claimed = await claimDeviceSignIn(tx, accountId, deviceCode);
    if (claimed === null) return { state: "unknown" };
    const { userId, email, role } = claimed;
    const scopes = limitScopes(claimed.scopes, role);
    if (scopes.length === 0) return { state: "denied" };
    const name = nameToken(claimed.host);
    const expiresAt = new Date(parts.now().getTime() + deviceTokenDays * 86_400_000);
    const made = { userId, name, scopes, expiresAt, clientId: cliClientId };
    const { id, token } = await createApiToken(tx, accountId, made);
    const user = { accountId, userId, email, role, sessionId: "", maskedFields: [] };
    const entry = { event: "api_token.created", targets: [{ type: "api_token", id, name }] };
    const after = { scopes, expiresAt, by: "device sign-in" };
    const context = { ...parts, actor: { type: "user", ...user } as const };
    await audit(context, { ...entry, before: {}, after }, tx);
    const { slug, name: accountName } = await getAccount(tx, accountId);
    const account = { id: accountId, slug, name: accountName };
    return { state: "claimed", token, scopes, account };
  });
}

function nameToken(host: string | null): string {
  return host === null ? "CLI" : `CLI on ${host}`;
}

/**
 * Revokes a token for the program that holds it. Unknown and ended ones are revoked already. False if it wasn't made by
 * a sign-in of this client: what a person made for another program must not end because one signs out.
 */
export async function revokeHeldToken(
  parts: Parts,
  clientId: string,
  token: string,
): Promise<boolean> {
  const held = await findHeldToken(parts.db, token);
  if (held === null) return true;
  if (held.clientId !== clientId) return false;
  const { accountId, tokenId, name, userId } = held;
  // What it may do doesn't matter: its holder can always give it back.
  const holder = { scopes: [], role: "viewer", maskedFields: [] } as const;
  const actor = { type: "token", accountId, tokenId, name, userId, ...holder } as const;
  const targets = [{ type: "api_token", id: tokenId, name }];
  await parts.db.$transaction(async (tx) => {
    if (await revokeApiToken(tx, accountId, tokenId))
      await audit({ ...parts, actor }, { event: "api_token.revoked", targets }, tx);
  });
  return true;
}
