import { invalidField, toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { isSameOrigin } from "#lib/core/sending/address/is-same-origin.ts";
import { openHeaders, sealHeaders } from "#lib/core/sending/sealed-headers.ts";
import { findNewestVersion } from "#lib/db/event-types/type-versions.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";
import { cancelRunsOfDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import { findSameReceiver } from "#lib/db/subscriptions/same-receiver.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { addSecret, removeKeyPairs } from "#lib/db/subscriptions/subscription-secrets.ts";
import { forgetFailures } from "#lib/db/subscriptions/subscription-status.ts";
import {
  changeSubscription,
  getSubscription,
  insertSubscription,
  lockSubscription,
  deleteSubscription as removeSubscription,
  type SubscriptionColumns,
  writePatterns,
} from "#lib/db/subscriptions/subscriptions.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { toReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import {
  portalSubscriptionPatchSchema,
  portalSubscriptionSchema,
  type SubscriptionPatch,
  subscriptionInputSchema,
  subscriptionPatchSchema,
} from "#lib/schema/send/subscription.ts";
import { requireOtherNames } from "#lib/services/account/sender-settings.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import {
  type CreatedSubscription,
  requireReceiver,
  requireReceiverUrl,
  requireRoom,
  statusOfNewUrl,
  toSubscriptionTarget,
  type UpdatedSubscription,
} from "./subscription-rules.ts";
import { createKeyPair, generateSecret, sealSecret } from "./subscription-secrets.ts";
import { challengeNewUrl } from "./subscription-status.ts";
import { requireNoCallback, requireTransform } from "./transform-rules.ts";

/** The new subscription stays pending if its receiver URL fails a required challenge. */
export const createSubscription = service({
  permission: "subscriptions:write",
  input: subscriptionInputSchema,
  portalInput: portalSubscriptionSchema,
  run: async (context, input): Promise<CreatedSubscription> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    const { headers, secret = generateSecret(), recipient: given, version, ...columns } = input;
    requireReceiverUrl(input.receiverUrl, context);
    await requireTransform(accountId, input.transform);
    const id = newId();
    const recipient = actor.type === "portal" ? actor.recipient : given;
    const { inserted, firstId } = await db.$transaction(async (tx) => {
      await requireRoom(tx, accountId, recipient);
      await requireOtherNames(tx, context, headers);
      const headersCiphertext = sealHeaders(sealer, { id, accountId }, headers);
      const kind = await requireReceiver(tx, context, { ...input, headersCiphertext });
      if (recipient !== null) await ensureRecipient(tx, accountId, recipient);
      const first = await findSameReceiver(tx, { accountId, recipient }, input.receiverUrl);
      await insertSubscription(
        tx,
        { id, accountId, recipient },
        {
          ...columns,
          version: version ?? (await findNewestVersion(tx, accountId)),
          ...(await statusOfNewUrl(tx, context, kind)),
          headersCiphertext,
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

/**
 * Changes a subscription. Omitted fields stay. A new receiver URL may have to answer the challenge
 * first.
 */
export const updateSubscription = service({
  permission: "subscriptions:write",
  input: subscriptionPatchSchema.extend({ id: recordId }),
  portalInput: portalSubscriptionPatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<UpdatedSubscription> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    await requireTransform(accountId, patch.transform);
    const { before, after, firstId } = await db.$transaction(async (tx) => {
      const locked = await lockSubscription(tx, accountId, id, recipientScope(actor));
      if (patch.transform != null) await requireNoCallback(tx, locked);
      await requireOtherNames(tx, context, patch.headers);
      const columns = await toColumns(tx, context, locked, patch);
      await changeSubscription(tx, locked, columns);
      const isMoved = columns.receiverUrl !== locked.receiverUrl;
      // It was another receiver that failed.
      if (isMoved) await forgetFailures(tx, locked.id, columns.status);
      const first = isMoved ? await findSameReceiver(tx, locked, columns.receiverUrl) : null;
      if (patch.eventTypes !== undefined) await writePatterns(tx, locked, patch.eventTypes);
      if (columns.keyPair && !locked.keyPair)
        await addSecret(tx, locked.id, createKeyPair(sealer, accountId));
      if (!columns.keyPair && locked.keyPair) await removeKeyPairs(tx, locked.id);
      const changed = await getSubscription(tx, accountId, locked.id);
      const entry = { event: "subscription.updated", targets: [toSubscriptionTarget(changed)] };
      await audit(context, { ...entry, before: locked, after: changed }, tx);
      return { before: locked, after: changed, firstId: first };
    });
    const isNewUrl = after.receiverUrl !== before.receiverUrl;
    return { ...(isNewUrl ? await challengeNewUrl(context, after) : after), firstId };
  },
});

/** Throws `invalid_request` for a URL that may not be called, or headers that may not move to it. */
async function toColumns(
  tx: Transaction,
  context: ServiceContext,
  before: SubscriptionRecord,
  patch: SubscriptionPatch,
): Promise<SubscriptionColumns> {
  const { headers: _, ...fields } = patch;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const after: SubscriptionColumns = {
    ...before,
    eventTypes: [...before.eventTypes],
    ...(Object.fromEntries(given) as Partial<SubscriptionColumns>),
    headersCiphertext: resealHeaders(before, patch, context.sealer),
  };
  const kind = await requireReceiver(tx, context, after);
  const wasKind = toReceiverKind(before.credential, before.receiverUrl);
  if (after.receiverUrl === before.receiverUrl && kind === wasKind) return after;
  if (context.actor.type === "portal" && kind !== "http")
    throw invalidField(
      "receiverUrl",
      "can't be changed here: it isn't a URL of your own",
      "not_allowed",
    );
  requireReceiverUrl(after.receiverUrl, context);
  // A disabled one too: once it is enabled, its new URL gets events.
  const isPending = before.status === "pending";
  const next = isPending && kind === "http" ? before : await statusOfNewUrl(tx, context, kind);
  const { status, statusReason } = isPending || next.status === "pending" ? next : before;
  return { ...after, status, statusReason, receiverByPortal: context.actor.type === "portal" };
}

/** A patch adds, changes, and removes headers. They were given for one origin. */
function resealHeaders(
  before: SubscriptionRecord,
  { headers, receiverUrl }: SubscriptionPatch,
  sealer: Sealer,
): Uint8Array | null {
  const isMoved = receiverUrl !== undefined && receiverUrl !== before.receiverUrl;
  if (headers === null) return null;
  if (headers === undefined && !isMoved) return before.headersCiphertext;
  const kept = new Map(Object.entries(openHeaders(sealer, before)));
  const changes = Object.entries(headers ?? {});
  const changed = new Set(changes.map(([name]) => name.toLowerCase()));
  for (const name of kept.keys()) if (changed.has(name.toLowerCase())) kept.delete(name);
  if (isMoved && kept.size > 0 && !isSameOrigin(before.receiverUrl, receiverUrl))
    throw invalidField(
      "headers",
      "must be entered again or set to null: the stored headers are for another origin",
      "required",
    );
  const next = Object.fromEntries([
    ...kept,
    ...changes.filter((change): change is [string, string] => change[1] !== null),
  ]);
  return sealHeaders(sealer, before, next);
}

/**
 * Deletes a subscription with its secrets and headers. The first few thousand open runs are
 * canceled with it, the rest within about a minute.
 */
export const deleteSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const before = await lockSubscription(tx, actor.accountId, id, recipientScope(actor));
      await removeSubscription(tx, before.id);
      const targets = [toSubscriptionTarget(before)];
      await audit(context, { event: "subscription.deleted", targets }, tx);
    });
    await cancelRunsOfDeletedSubscriptions(db, { subscriptionId: id, batches: 1 });
  },
});
