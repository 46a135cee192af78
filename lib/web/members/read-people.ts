import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import { listInvitations } from "#lib/db/members/invitations.ts";
import { listMembers } from "#lib/db/members/members.ts";
import { maxPeople } from "#lib/schema/account/member.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The members of an account and its open invitations. */
export async function readPeople({ db, env }: ServiceContext, { accountId }: SessionUser) {
  const page = { limit: maxPeople };
  const [members, invitations] = await Promise.all([
    listMembers(db, accountId, page),
    listInvitations(db, accountId, page),
  ]);
  return {
    nowMs: Date.now(),
    members: members.items,
    invitations: invitations.items,
    sendsEmail: env.mail !== undefined,
  };
}
