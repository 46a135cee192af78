"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  createAccount,
  deleteAccount,
  switchAccount,
  transferAccount,
} from "#lib/services/account/accounts.ts";
import {
  createApiToken,
  revokeApiToken,
  revokeOwnToken,
} from "#lib/services/account/api-tokens.ts";
import {
  dismissAccountNotice,
  renameAccount,
  saveSenderSettings,
} from "#lib/services/account/sender-settings.ts";
import {
  deleteAuditReceiver,
  putAuditReceiver,
  rotateAuditReceiverSecret,
} from "#lib/services/audit-log.ts";
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
} from "#lib/services/invitations.ts";
import { previewMaskedFields, putMaskedFields } from "#lib/services/masked-fields.ts";
import { changeMemberRole, leaveAccount, removeMember } from "#lib/services/members.ts";
import { ask, change, form } from "#lib/web/auth/run-service.ts";

export const renameAccountCommand = change(renameAccount, ["id", "name"]);
export const switchAccountCommand = change(switchAccount, ["id"]);
export const transferAccountCommand = change(transferAccount, ["id", form]);
export const deleteAccountCommand = change(deleteAccount, ["id", "name"]);
export const leaveAccountCommand = change(leaveAccount, []);

const create = change(createAccount, [form], ({ id }) => id);

/** Creates an account and shows it. */
export async function createAccountCommand(input: object): Promise<CommandResult<null>> {
  const created = await create(input);
  return created.ok ? await switchAccountCommand(created.value) : created;
}

export const dismissAccountNoticeCommand = change(dismissAccountNotice, ["notice"]);
export const saveSendingCommand = change(saveSenderSettings, [form]);

export const createTokenCommand = change(createApiToken, [form], ({ token }) => ({ token }));
export const revokeTokenCommand = change(revokeApiToken, ["id"]);
export const revokeOwnTokenCommand = change(revokeOwnToken, ["id"]);

export const saveMaskedFieldsCommand = change(putMaskedFields, ["fields"]);
/** Shows the newest delivery as viewers would see it. */
export const previewMaskedFieldsCommand = ask(previewMaskedFields, ["fields"]);

export const saveAuditReceiverCommand = change(putAuditReceiver, [form], ({ secret }) => ({
  secret,
}));
export const rotateAuditSecretCommand = change(rotateAuditReceiverSecret, [], ({ secret }) => ({
  secret,
}));
export const deleteAuditReceiverCommand = change(deleteAuditReceiver, []);

export const changeRoleCommand = change(changeMemberRole, ["id", "role"]);
export const removeMemberCommand = change(removeMember, ["id"]);
export const inviteCommand = change(inviteMember, [form], toSentView);
export const resendInvitationCommand = change(resendInvitation, ["id"], toSentView);
export const revokeInvitationCommand = change(revokeInvitation, ["id"]);

function toSentView({ invitation, url, email }: SentInvitation) {
  return { emailAddress: invitation.email, url, email };
}
