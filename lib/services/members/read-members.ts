import { z } from "zod";
import {
  getInvitation as findInvitation,
  listInvitations as findInvitations,
} from "#lib/db/members/invitations.ts";
import { getMember as findMember, listMembers as findMembers } from "#lib/db/members/members.ts";
import { peopleQuerySchema } from "#lib/schema/account/member.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

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
