import { toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { sealHeaders } from "#lib/core/sending/sealed-headers.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";
import { findSameReceiver } from "#lib/db/subscriptions/same-receiver.ts";
import { addSecret } from "#lib/db/subscriptions/subscription-secrets.ts";
import { getSubscription, insertSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import {
  portalSubscriptionSchema,
  subscriptionInputSchema,
} from "#lib/schema/send/subscription.ts";
import { requireOtherNames } from "#lib/services/account/signature-header.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { challengeNewUrl } from "./check-challenge.ts";
import { createKeyPair, generateSecret, sealSecret } from "./new-secrets.ts";
import {
  type CreatedSubscription,
  requireReceiverUrl,
  requireRoom,
  statusOfNewUrl,
  toSubscriptionTarget,
} from "./subscription-rules.ts";

/** The new subscription stays pending if its receiver URL fails a required challenge. */
export const createSubscription = service({
  permission: "subscriptions:write",
  input: subscriptionInputSchema,
  portalInput: portalSubscriptionSchema,
  run: async (context, input): Promise<CreatedSubscription> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    const { headers, secret = generateSecret(), recipient: given, ...columns } = input;
    requireReceiverUrl(input.receiverUrl, context);
    const id = newId();
    const recipient = actor.type === "portal" ? actor.recipient : given;
    const { inserted, firstId } = await db.$transaction(async (tx) => {
      await requireRoom(tx, accountId, recipient);
      await requireOtherNames(tx, context, headers);
      if (recipient !== null) await ensureRecipient(tx, accountId, recipient);
      const first = await findSameReceiver(tx, { accountId, recipient }, input.receiverUrl);
      await insertSubscription(
        tx,
        { id, accountId, recipient },
        {
          ...columns,
          ...(await statusOfNewUrl(tx, context)),
          headersCiphertext: sealHeaders(sealer, { id, accountId }, headers),
          receiverByPortal: actor.type === "portal",
        },
      );
      await addSecret(tx, id, sealSecret(sealer, accountId, secret));
      if (input.keyPair) await addSecret(tx, id, createKeyPair(sealer, accountId));
      const made = await getSubscription(tx, accountId, id);
      const targets = [toSubscriptionTarget(made)];
      await audit(context, { event: "subscription.created", targets }, tx);
      return { inserted: made, firstId: first };
    });
    // Only this response has the secret. The challenge can be sent again.
    const subscription = await challengeNewUrl(context, inserted).catch((error: unknown) => {
      log.error("challenge.not_stored", { subscriptionId: id, accountId, error: toError(error) });
      return inserted;
    });
    return { subscription, secret, firstId };
  },
});
