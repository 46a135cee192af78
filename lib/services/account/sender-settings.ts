import { AppError, invalidField } from "#lib/base/errors.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import {
  type AccountRecord,
  dismissNotice as dismiss,
  renameAccount as rename,
} from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  readSenderSettings,
  readSignatureHeaders,
  saveSenderSettings as saveSettings,
} from "#lib/db/accounts/sender-settings.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { listSealedHeaders } from "#lib/db/subscriptions/list-subscriptions.ts";
import { accountNameSchema } from "#lib/schema/account/account.ts";
import { dismissedNoticeSchema } from "#lib/schema/account/notices.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import { type SenderSettings, senderSettingsPatchSchema } from "#lib/schema/send/settings.ts";
import { isSameHeader } from "#lib/schema/send/signature-headers.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

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

/** Hides a notice from everyone of the account. */
export const dismissAccountNotice = service({
  permission: "hooks:write",
  input: dismissedNoticeSchema,
  run: async (context, { notice }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await dismiss(tx, actor.accountId, notice);
      const targets = [{ type: "account", id: actor.accountId }];
      const changes = { before: {}, after: { dismissed: notice } };
      await audit(context, { event: "account.notice_dismissed", targets, ...changes }, tx);
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

/** Throws `invalid_request` if one of the headers has the name of the account's signature. */
export async function requireOtherNames(
  tx: Transaction,
  { actor }: ServiceContext,
  headers: Readonly<Record<string, string | null>> | null | undefined,
): Promise<void> {
  // Null removes a header.
  const set = Object.entries(headers ?? {}).filter(([, value]) => value !== null);
  if (set.length === 0) return;
  const { signatureHeader } = await readSignatureHeaders(tx, actor.accountId);
  const taken = set.find(([name]) => isSameHeader(name, signatureHeader));
  if (taken === undefined) return;
  const message = "is the account's signature header and can't be changed";
  throw invalidField(`headers.${taken[0]}`, message, "not_allowed");
}

/** Throws `conflict` with the first subscription that has a header of this name. */
async function requireUnusedHeader(
  tx: Transaction,
  { actor, sealer }: ServiceContext,
  wanted: string,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await listSealedHeaders(tx, actor.accountId, after);
    const found = page.find((subscription) =>
      Object.keys(openHeaders(sealer, subscription)).some((name) => isSameHeader(name, wanted)),
    );
    if (found !== undefined) {
      const { id, receiverUrl } = found;
      const detail =
        `The subscription ${id} to ${URL.parse(receiverUrl)?.host ?? receiverUrl} has a header ${wanted} of its ` +
        "own. Remove it there, or choose another name.";
      throw new AppError("conflict", detail);
    }
    after = page.at(-1)?.id;
  } while (after !== undefined);
}
