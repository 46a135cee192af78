import { type AccountRecord, renameAccount as rename } from "#lib/db/accounts/accounts.ts";
import {
  readSenderSettings,
  saveSenderSettings as saveSettings,
} from "#lib/db/accounts/sender-settings.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { accountNameSchema } from "#lib/schema/account/account.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { senderSettingsSchema } from "#lib/schema/sender/settings.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

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

/** Replaces the settings for sending: the portal, the catalog, and the challenge of new URLs. */
export const saveSenderSettings = service({
  permission: "account:write",
  input: senderSettingsSchema,
  run: async (context, settings): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const before = await readSenderSettings(tx, actor.accountId);
      await saveSettings(tx, actor.accountId, settings);
      const targets = [{ type: "account", id: actor.accountId }];
      await audit(
        context,
        { event: "sender_settings.saved", targets, before, after: settings },
        tx,
      );
    });
  },
});
