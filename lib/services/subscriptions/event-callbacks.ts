import { newId } from "#lib/base/ids.ts";
import { isSameSecret } from "#lib/base/is-same-secret.ts";
import {
  readSnapshotCursor,
  type SnapshotCursor,
  writeSnapshotCursor,
} from "#lib/core/api/snapshot-cursor.ts";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { readNewEvents } from "#lib/db/events/new-events.ts";
import { queueSends } from "#lib/db/events/queue-sends.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { ensureRecipient } from "#lib/db/recipients/ensure-recipient.ts";
import {
  countCallbacks,
  deleteCallback,
  type EventCallback,
  findCallback,
  findSentEvents,
  hasOpenSends,
  insertCallback,
  renewCallback,
} from "#lib/db/subscriptions/event-callbacks.ts";
import { cancelRunsOfDeletedSubscriptions } from "#lib/db/subscriptions/purge-subscriptions.ts";
import {
  addSecret,
  countSecrets,
  expireSecrets,
} from "#lib/db/subscriptions/subscription-secrets.ts";
import { markEnabled } from "#lib/db/subscriptions/subscription-status.ts";
import {
  deleteSubscription,
  getSubscription,
  insertSubscription,
  lockSubscription,
  touchSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import {
  grantSeconds,
  maxCallbacks,
  subscribeEventsSchema,
  unsubscribeEventsSchema,
} from "#lib/schema/send/event-callback.ts";
import { newestVersion } from "#lib/schema/send/payload-version.ts";
import { subscriptionInputSchema } from "#lib/schema/send/subscription.ts";
import type { TokenActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import {
  type CallbackKey,
  explainCallbackUrl,
  findCallbackFault,
  isKnownType,
  requireToken,
  toCallbackId,
} from "./callback-rules.ts";
import { requireRoom, toSubscriptionTarget } from "./subscription-rules.ts";
import { sealSecret } from "./subscription-secrets.ts";

type Subscribed =
  | {
      readonly kind: "subscribed";
      readonly callbackId: string;
      readonly expiresAt: Date;
      /** Everything before it was accepted by the callback, or given up. Null: that isn't known. */
      readonly cursor: string | null;
      /** Some events after the given cursor are passed over. */
      readonly isTruncated: boolean;
    }
  | { readonly kind: "unknown_event" | "disabled" | "full" | "busy" }
  | { readonly kind: "invalid_url"; readonly message: string }
  | { readonly kind: "unverified"; readonly reason: string };

/**
 * Has the events of a type sent to a callback, or renews that: an ordinary subscription, stored and retried as all are,
 * which ends by itself. The callback has to echo a challenge first.
 */
export const subscribeCallback = service({
  permission: "callbacks:write",
  input: subscribeEventsSchema,
  run: async (context, input): Promise<Subscribed> => {
    const actor = requireToken(context.actor);
    authorize(actor, "events:read");
    const { name, delivery } = input;
    const { url, secret } = delivery;
    const since = typeof input.cursor === "string" ? readSnapshotCursor(input.cursor) : null;
    const wrong = explainCallbackUrl(url, context);
    if (wrong !== null) return { kind: "invalid_url", message: wrong };
    const key = { name, recipient: input.arguments.recipient ?? null, url };
    const callbackId = toCallbackId(actor, key);
    const owner = { accountId: actor.accountId, callbackId };
    const found = await findCallback(context.db, owner);
    const known = found?.isEnded === true ? null : found;
    // Someone of the account disabled it.
    if (known?.statusReason?.startsWith("manual") === true) return { kind: "disabled" };
    if (known === null && !(await isKnownType(context, name))) return { kind: "unknown_event" };
    if (known?.status !== "active") {
      const fault = await findCallbackFault(context, actor, { url, secret, callbackId });
      if (fault === "busy") return { kind: "busy" };
      if (fault !== null) return { kind: "unverified", reason: fault };
    }
    const start = await readNow(context, key);
    const wanted = { ...owner, tokenId: actor.tokenId, secret, seconds: grantSeconds(input.ttlMs) };
    const kept = await context.db.$transaction(async (tx) => {
      // Two at once make one.
      await lockAccount(tx, actor.accountId);
      const now = await findCallback(tx, owner);
      if (now?.isEnded === false)
        return { ...now, isNew: false, expiresAt: await renew(context, tx, now, wanted) };
      // What its sends missed since its end, the new one gets.
      if (now !== null) await deleteSubscription(tx, now.subscriptionId);
      if ((await countCallbacks(tx, actor.accountId)) >= maxCallbacks) return null;
      return { isNew: true, ...(await create(context, tx, actor, key, wanted)) };
    });
    if (kept === null) return { kind: "full" };
    const { subscriptionId, expiresAt, isNew } = kept;
    const isTruncated =
      isNew && since !== null
        ? await replay(context, { ...key, subscriptionId }, since, input.maxAgeMs)
        : false;
    notifyRunsDue(context.db);
    const isOpen = await hasOpenSends(context.db, actor.accountId, subscriptionId);
    const cursor = isOpen ? (input.cursor ?? null) : start;
    return { kind: "subscribed", callbackId, expiresAt, cursor, isTruncated };
  },
});

/** Ends a callback at once. False: there is none. */
export const unsubscribeCallback = service({
  permission: "callbacks:write",
  input: unsubscribeEventsSchema,
  run: async (context, { name, arguments: { recipient = null }, delivery }): Promise<boolean> => {
    const actor = requireToken(context.actor);
    const { db } = context;
    const callbackId = toCallbackId(actor, { name, recipient, url: delivery.url });
    const owner = { accountId: actor.accountId, callbackId };
    const found = await findCallback(db, owner);
    if (found === null) return false;
    const { subscriptionId } = found;
    await db.$transaction(async (tx) => {
      const before = await lockSubscription(tx, actor.accountId, subscriptionId);
      await deleteCallback(tx, owner);
      await deleteSubscription(tx, subscriptionId);
      const targets = [toSubscriptionTarget(before)];
      await audit(context, { event: "subscription.deleted", targets }, tx);
    });
    await cancelRunsOfDeletedSubscriptions(db, { subscriptionId, batches: 1 });
    return true;
  },
});

type Wanted = {
  readonly accountId: string;
  readonly callbackId: string;
  readonly tokenId: string;
  readonly secret: string;
  readonly seconds: number;
};

async function create(
  context: ServiceContext,
  tx: Transaction,
  { accountId, name: tokenName }: TokenActor,
  { name, recipient, url }: CallbackKey,
  { secret, ...wanted }: Wanted,
): Promise<{ readonly subscriptionId: string; readonly expiresAt: Date }> {
  const id = newId();
  await requireRoom(tx, accountId, recipient);
  if (recipient !== null) await ensureRecipient(tx, accountId, recipient);
  const {
    recipient: _,
    headers,
    secret: none,
    version = newestVersion,
    ...usual
  } = subscriptionInputSchema.parse({
    ...{ receiverUrl: url, eventTypes: [name] },
    description: `Callback of ${tokenName}`.slice(0, 200).toWellFormed(),
  });
  await insertSubscription(
    tx,
    { id, accountId, recipient },
    {
      ...{ ...usual, version, status: "active", statusReason: null, headersCiphertext: null },
      receiverByPortal: true,
    },
  );
  await addSecret(tx, id, sealSecret(context.sealer, accountId, secret));
  const made = { ...wanted, subscriptionId: id, secretHash: hashToken(secret) };
  const expiresAt = await insertCallback(tx, made);
  const targets = [toSubscriptionTarget(await getSubscription(tx, accountId, id))];
  await audit(context, { event: "subscription.created", targets }, tx);
  return { subscriptionId: id, expiresAt };
}

/** The previous secret signs for this long, too. */
const graceSeconds = 3_600;
const maxSecrets = 5;

async function renew(
  { sealer }: ServiceContext,
  tx: Transaction,
  { subscriptionId: id, secretHash }: EventCallback,
  { secret, ...wanted }: Wanted,
): Promise<Date> {
  const { accountId } = wanted;
  const { status } = await lockSubscription(tx, accountId, id);
  const hash = hashToken(secret);
  if (!isSameSecret(Buffer.from(hash).toString("hex"), Buffer.from(secretHash).toString("hex"))) {
    const hasRoom = (await countSecrets(tx, id)) < maxSecrets;
    await expireSecrets(tx, id, hasRoom ? graceSeconds : 0);
    await addSecret(tx, id, sealSecret(sealer, accountId, secret));
    await touchSubscription(tx, id);
  }
  if (status === "disabled") await markEnabled(tx, id);
  return await renewCallback(tx, { ...wanted, secretHash: hash });
}

type Key = Pick<CallbackKey, "name" | "recipient">;

/** The cursor of now. */
async function readNow(
  { db, actor, now }: ServiceContext,
  { name, recipient }: Key,
): Promise<string> {
  const wanted = { type: name, recipient, cursor: null, limit: 1, notBeforeMs: 0 };
  const { cursor } = await readNewEvents(db, actor.accountId, wanted, now().getTime());
  return writeSnapshotCursor(cursor);
}

const pageEvents = 200;
const maxPages = 10;

/** Queues what came since a cursor, for a new callback, each event once. True: some is passed over. */
async function replay(
  { db, actor, now }: ServiceContext,
  { name, recipient, subscriptionId }: Key & { readonly subscriptionId: string },
  since: SnapshotCursor,
  maxAgeMs: number | null | undefined,
): Promise<boolean> {
  const { accountId } = actor;
  const nowMs = now().getTime();
  const notBeforeMs = typeof maxAgeMs === "number" ? nowMs - maxAgeMs : 0;
  let cursor = since;
  let isTruncated = false;
  for (let page = 0; page < maxPages; page += 1) {
    const wanted = { type: name, recipient, cursor, limit: pageEvents, notBeforeMs };
    const found = await readNewEvents(db, accountId, wanted, nowMs);
    isTruncated ||= found.isReset;
    await db.$transaction(async (tx) => {
      const sent = await findSentEvents(tx, accountId, { subscriptionId, eventIds: found.ids });
      const eventIds = found.ids.filter((id) => !sent.has(id));
      if (eventIds.length > 0)
        await queueSends(tx, { accountId, eventIds, subscriptionIds: [subscriptionId] });
    });
    if (!found.isMore) return isTruncated;
    cursor = found.cursor;
  }
  return true;
}
