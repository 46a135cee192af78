import { renameAccount as rename } from "#lib/db/accounts/accounts.ts";
import {
  readSenderSettings,
  saveSenderSettings as saveSettings,
} from "#lib/db/accounts/sender-settings.ts";
import { accountNameSchema } from "#lib/schema/account/account.ts";
import { senderSettingsSchema } from "#lib/schema/sender/settings.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

/** Renames the account. The slug never changes: it is part of every catch URL. */
export const renameAccount = service({
  permission: "account:write",
  input: accountNameSchema,
  run: async (context, { name }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await rename(tx, actor.accountId, name);
      const targets = [{ type: "account", id: actor.accountId, name }];
      await audit(context, { event: "account.renamed", targets }, tx);
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
