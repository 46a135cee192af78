import { invalidField } from "#lib/base/errors.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { isSameOrigin } from "#lib/core/sending/address/is-same-origin.ts";
import { openHeaders, sealHeaders } from "#lib/core/sending/sealed-headers.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { findSameReceiver } from "#lib/db/subscriptions/same-receiver.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { addSecret, removeKeyPairs } from "#lib/db/subscriptions/subscription-secrets.ts";
import { forgetFailures } from "#lib/db/subscriptions/subscription-status.ts";
import {
  changeSubscription,
  getSubscription,
  lockSubscription,
  type SubscriptionColumns,
  writePatterns,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import {
  portalSubscriptionPatchSchema,
  type SubscriptionPatch,
  subscriptionPatchSchema,
} from "#lib/schema/send/subscription.ts";
import { requireOtherNames } from "#lib/services/account/signature-header.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { challengeNewUrl } from "./check-challenge.ts";
import { createKeyPair } from "./new-secrets.ts";
import {
  requireReceiverUrl,
  statusOfNewUrl,
  toSubscriptionTarget,
  type UpdatedSubscription,
} from "./subscription-rules.ts";

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
    const { before, after, firstId } = await db.$transaction(async (tx) => {
      const locked = await lockSubscription(tx, accountId, id, recipientScope(actor));
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
  if (after.receiverUrl === before.receiverUrl) return after;
  requireReceiverUrl(after.receiverUrl, context);
  // A disabled one too: once it is enabled, its new URL gets events.
  const next = before.status === "pending" ? before : await statusOfNewUrl(tx, context);
  const { status, statusReason } = next.status === "pending" ? next : before;
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
