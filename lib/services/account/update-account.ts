import { type AccountRecord, renameAccount as rename } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  readSenderSettings,
  readSignatureHeaders,
  saveSenderSettings as saveSettings,
} from "#lib/db/accounts/sender-settings.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { accountNameSchema } from "#lib/schema/account/account.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import { type SenderSettings, senderSettingsPatchSchema } from "#lib/schema/send/settings.ts";
import { isSameHeader } from "#lib/schema/send/signature-headers.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireUnusedHeader } from "./signature-header.ts";

/** Renames the account. The slug never changes: it is part of every catch URL. Throws `not_found` for another one. */
export const renameAccount = service({
  permission: "account:write",
  input: accountNameSchema.extend({ id: recordId }),
  run: async (context, { id, name }): Promise<AccountRecord> => {
    const { db, actor } = context;
    if (id !== actor.accountId) throw notFound("account");
    return await db.$transaction(async (tx) => {
      const renamed = await rename(tx, actor.accountId, name);
      const targets = [{ type: "account", id: actor.accountId, name }];
      await audit(context, { event: "account.renamed", targets }, tx);
      return renamed;
    });
  },
});

/** The settings for sending: the portal, the catalog, the challenge, and the headers that sign. */
export const getSenderSettings = service({
  permission: "account:read",
  input: noFields,
  run: ({ db, actor }): Promise<SenderSettings> => readSenderSettings(db, actor.accountId),
});

/** The headers that sign the account's events, for the code that verifies them. */
export const getSignatureHeaders = service({
  permission: "account:read",
  input: noFields,
  run: ({ db, actor }) => readSignatureHeaders(db, actor.accountId),
});

/**
 * Changes the settings for sending. Omitted ones stay. Throws `conflict` if a subscription has a
 * header with the name of the signature's.
 */
export const saveSenderSettings = service({
  permission: "account:write",
  input: senderSettingsPatchSchema,
  run: async (context, patch): Promise<SenderSettings> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const before = await readSenderSettings(tx, actor.accountId);
      const given = Object.entries(patch).filter(([, value]) => value !== undefined);
      const after: SenderSettings = { ...before, ...Object.fromEntries(given) };
      if (!isSameHeader(after.signatureHeader, before.signatureHeader))
        await requireUnusedHeader(tx, context, after.signatureHeader);
      await saveSettings(tx, actor.accountId, after);
      const targets = [{ type: "account", id: actor.accountId }];
      await audit(context, { event: "sender_settings.saved", targets, before, after }, tx);
      return after;
    });
  },
});
