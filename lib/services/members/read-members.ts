import { z } from "zod";
import {
  getInvitation as findInvitation,
  listInvitations as findInvitations,
} from "#lib/db/members/invitations.ts";
import { getMember as findMember, listMembers as findMembers } from "#lib/db/members/members.ts";
import { maxPeople, peopleQuerySchema } from "#lib/schema/account/member.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { InvitationRecord } from "#lib/db/members/invitations.ts";
export type { MemberRecord } from "#lib/db/members/members.ts";

/** Everyone of the account, and its open invitations. */
export const readPeople = service({
  permission: "members:read",
  input: noFields,
  run: async ({ db, env, actor }) => {
    const page = { limit: maxPeople };
    const [members, invitations] = await Promise.all([
      findMembers(db, actor.accountId, page),
      findInvitations(db, actor.accountId, page),
    ]);
    const sendsEmail = env.mail !== undefined;
    return { members: members.items, invitations: invitations.items, sendsEmail };
  },
});

export const listMembers = service({
  permission: "members:read",
  input: peopleQuerySchema,
  run: ({ db, actor }, page) => findMembers(db, actor.accountId, page),
});

/** Returns a member of the account. Throws `not_found`. */
export const getMember = service({
  permission: "members:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findMember(db, actor.accountId, id),
});

/** Lists the invitations that are still open. */
export const listInvitations = service({
  permission: "members:read",
  input: peopleQuerySchema,
  run: ({ db, actor }, page) => findInvitations(db, actor.accountId, page),
});

/** Returns an invitation to the account. Throws `not_found`. */
export const getInvitation = service({
  permission: "members:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findInvitation(db, actor.accountId, id),
});
