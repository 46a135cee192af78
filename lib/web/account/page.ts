import { listApiTokens } from "#lib/db/accounts/api-tokens.ts";
import { hasOwner } from "#lib/db/accounts/owner.ts";
import { readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { listSessions, type SessionUser } from "#lib/db/accounts/sessions.ts";
import { readSetupState } from "#lib/services/account/claim-setup.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** Where the user is signed in. */
export async function readProfilePage({ db }: ServerContext, { userId }: SessionUser) {
  return { nowMs: Date.now(), sessions: await listSessions(db, userId) };
}

/** The account's API tokens, without their text. */
export async function readTokensPage({ db }: ServerContext, { accountId }: SessionUser) {
  return { nowMs: Date.now(), tokens: await listApiTokens(db, accountId) };
}

/** How the account sends. */
export async function readSendingPage(
  { db, env }: ServerContext,
  { accountId, accountSlug }: SessionUser,
) {
  return {
    settings: await readSenderSettings(db, accountId),
    catalogUrl: `${env.publicUrl}/catalog/${accountSlug}`,
  };
}

/** Whether the token of a setup link works, and the start of the catch URLs. */
export async function readSetupPage(context: ServerContext, token: string) {
  return {
    state: await readSetupState(context, token),
    catchPrefix: `${context.env.publicUrl}/catch/`,
  };
}

/** Whether anyone can sign in yet. */
export async function isSetUp({ db }: ServerContext): Promise<boolean> {
  return await hasOwner(db);
}
