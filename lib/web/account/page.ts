import { listApiTokens } from "#lib/db/accounts/api-tokens.ts";
import { hasOtherAccount } from "#lib/db/accounts/delete-account.ts";
import { readMaskedFields } from "#lib/db/accounts/masked-fields.ts";
import { readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import { listMembers } from "#lib/db/members/members.ts";
import { maxPeople } from "#lib/schema/account/member.ts";
import { readSetupState } from "#lib/services/account/claim-setup.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The account's API tokens, without their text, and where they are used. */
export async function readTokensPage({ db, env }: ServiceContext, { accountId }: SessionUser) {
  const tokens = await listApiTokens(db, accountId);
  return { nowMs: Date.now(), tokens, origin: env.publicUrl };
}

/** The possible owners, and whether the account is the installation's only one. Both for owners. */
export async function readOwnership({ db }: ServiceContext, { accountId, userId }: SessionUser) {
  const [members, hasOther] = await Promise.all([
    listMembers(db, accountId, { limit: maxPeople }),
    hasOtherAccount(db, accountId),
  ]);
  return { others: members.items.filter(({ id }) => id !== userId), isOnlyAccount: !hasOther };
}

/** The account's settings as a sender. */
export async function readSendingPage(
  { db, env }: ServiceContext,
  { accountId, accountSlug }: SessionUser,
) {
  return {
    settings: await readSenderSettings(db, accountId),
    catalogUrl: `${env.publicUrl}/catalog/${accountSlug}`,
  };
}

/** The fields of payloads that viewers see masked. */
export async function readMaskedFieldsPage({ db }: ServiceContext, { accountId }: SessionUser) {
  return await readMaskedFields(db, accountId);
}

/** The state of a setup link's token, and the start of the catch URLs. */
export async function readSetupPage(context: ServerContext, token: string) {
  return {
    state: await readSetupState(context, token),
    catchPrefix: `${context.env.publicUrl}/catch/`,
  };
}
