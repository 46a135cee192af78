import { logCounted } from "#lib/base/log-counted.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { createApiToken, revokeApiToken } from "#lib/db/accounts/api-tokens.ts";
import { lockAccountIfAny } from "#lib/db/accounts/lock-account.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import {
  claimAuthorizationCode,
  findAuthorizationCode,
  nameTokenOfCode,
  type PresentedCode,
} from "#lib/db/sign-in/authorization-codes.ts";
import { insertClient } from "#lib/db/sign-in/oauth-clients.ts";
import { type ClientMetadata, clientTokenDays } from "#lib/schema/account/client-sign-in.ts";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { type AuditContext, audit } from "#lib/services/frame/audit.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** A program has no actor: its code authorizes, and then the person who allowed it acts. */
type Parts = Omit<AuditContext, "actor">;

type Registering = {
  readonly metadata: ClientMetadata;
  readonly address: string | null;
  /** The address range that counts as one client. Null: it is unknown. */
  readonly client: string | null;
};

/** Registers a program (RFC 7591). `ofRegistrant`, `inAll`: too many that no person allowed, from there or in total. */
export async function registerClient(
  { db }: Pick<ServiceParts, "db">,
  { metadata, address, client }: Registering,
): Promise<Awaited<ReturnType<typeof insertClient>>> {
  const { client_name: name = null, redirect_uris: redirectUris } = metadata;
  const made = await insertClient(db, { name, redirectUris, registrant: client ?? "unknown" });
  if (typeof made === "string") logCounted("warn", "oauth_client.throttled", { address });
  else logCounted("info", "oauth_client.registered", { address });
  return made;
}

/** The one token of a code. */
type ClientToken = {
  readonly token: string;
  readonly scopes: readonly ApiScope[];
  readonly account: { readonly id: string; readonly slug: string; readonly name: string };
};

/**
 * Makes the token of a code: an API token of the person who allowed it, which can do neither more than they chose nor
 * more than their role now. However many ask at once, one gets it. A code that comes again has leaked, so its token
 * ends (RFC 6749 §4.1.2). Null: the code gives nothing.
 */
export async function claimClientToken(
  parts: Parts,
  presented: PresentedCode,
): Promise<ClientToken | null> {
  const found = await findAuthorizationCode(parts.db, presented.code);
  if (found === null) return null;
  const { accountId } = found;
  return await parts.db.$transaction(async (tx) => {
    if (!(await lockAccountIfAny(tx, accountId))) return null;
    const claimed = await claimAuthorizationCode(tx, accountId, presented);
    if (claimed === null) {
      await endTokenOfCode(parts, tx, presented.code);
      return null;
    }
    const { userId, email, role, clientName: name } = claimed;
    const scopes = limitScopes(claimed.scopes, role);
    if (scopes.length === 0) return null;
    const expiresAt = new Date(parts.now().getTime() + clientTokenDays * 86_400_000);
    const made = { userId, name, scopes, expiresAt, clientId: presented.clientId };
    const { id, token } = await createApiToken(tx, accountId, made);
    await nameTokenOfCode(tx, accountId, { id: claimed.id, tokenId: id });
    const user = { accountId, userId, email, role, sessionId: "", maskedFields: [] };
    const entry = { event: "api_token.created", targets: [{ type: "api_token", id, name }] };
    const after = { scopes, expiresAt, by: "sign-in in the browser", clientId: presented.clientId };
    const context = { ...parts, actor: { type: "user", ...user } as const };
    await audit(context, { ...entry, before: {}, after }, tx);
    const { slug, name: accountName } = await getAccount(tx, accountId);
    return { token, scopes, account: { id: accountId, slug, name: accountName } };
  });
}

/** Ends the token that was made from a code. The caller has locked its account. */
async function endTokenOfCode(parts: Parts, tx: Transaction, code: string): Promise<void> {
  const used = await findAuthorizationCode(tx, code);
  if (used === null || used.tokenId === null) return;
  const { accountId, tokenId, clientName: name, userId } = used;
  if (!(await revokeApiToken(tx, accountId, tokenId))) return;
  logCounted("warn", "oauth_client.code_reused", { address: parts.request?.ip ?? null });
  // The program that sent the code again acts, and may do nothing.
  const holder = { scopes: [], role: "viewer", maskedFields: [] } as const;
  const actor = { type: "token", accountId, tokenId, name, userId, ...holder } as const;
  const targets = [{ type: "api_token", id: tokenId, name }];
  const after = { because: "Its authorization code was used twice" };
  const entry = { event: "api_token.revoked", targets, before: {}, after };
  await audit({ ...parts, actor }, entry, tx);
}
