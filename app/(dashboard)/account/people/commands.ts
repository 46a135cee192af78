"use server";

import type { z } from "zod";
import type { SentView } from "#components/people/invitation-link.tsx";
import type { Role } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
} from "#lib/services/invitations.ts";
import { changeMemberRole, removeMember } from "#lib/services/members.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function changeRoleCommand(id: string, role: Role): Promise<CommandResult<null>> {
  return await changeByService(changeMemberRole, { id, role }, nothing);
}

export async function removeMemberCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(removeMember, { id }, nothing);
}

export async function inviteCommand(input: object): Promise<CommandResult<SentView>> {
  // The service parses what the form sent, whatever it is.
  const person = input as z.input<typeof inviteMember.input>;
  return await changeByService(inviteMember, person, toSentView);
}

export async function resendInvitationCommand(id: string): Promise<CommandResult<SentView>> {
  return await changeByService(resendInvitation, { id }, toSentView);
}

export async function revokeInvitationCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(revokeInvitation, { id }, nothing);
}

function toSentView({ invitation, url, email }: SentInvitation): SentView {
  return { emailAddress: invitation.email, url, email };
}
