import { z } from "zod";
import { roles } from "#lib/schema/account/role.ts";
import type { SentInvitation } from "#lib/services/invitations.ts";
import type { InvitationRecord, MemberRecord } from "#lib/services/members.ts";
import { view } from "#lib/web/route/view.ts";

const memberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    joinedAt: z.date(),
  })
  .meta({ id: "Member" });

const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(roles),
    invitedBy: z.string().nullable(),
    createdAt: z.date(),
    expiresAt: z.date(),
  })
  .meta({ id: "Invitation" });

const sentInvitationSchema = z
  .object({
    ...invitationSchema.shape,
    url: z
      .string()
      .nullable()
      .describe("Works once. It can't be read again. Null: it was sent to the person by email"),
    emailState: z.enum(["sent", "failed", "off"]),
  })
  .meta({ id: "SentInvitation" });

/** A member in the API's responses. */
export const memberView = view(memberSchema, (member: MemberRecord) => member);

/** An open invitation in the API's responses. */
export const invitationView = view(invitationSchema, (invitation: InvitationRecord) => invitation);

/** A new invitation with its link, and whether it was sent by email. */
export const sentInvitationView = view(
  sentInvitationSchema,
  ({ invitation, url, email }: SentInvitation) => ({
    ...invitation,
    url,
    emailState: email.state,
  }),
);
