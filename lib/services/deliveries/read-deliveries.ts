import { z } from "zod";
import { isId } from "#lib/base/ids.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { type DecodedBody, decodeBody } from "#lib/core/mapping/payload/decode-body.ts";
import { type DeliveryRecord, getDelivery as findDelivery } from "#lib/db/deliveries/deliveries.ts";
import {
  listDeliveries as findDeliveries,
  readBodyStarts,
} from "#lib/db/deliveries/list-deliveries.ts";
import { listAccountEventTypes, listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { readHookLabels } from "#lib/db/hooks/hook-names.ts";
import { countRuns } from "#lib/db/overview/overview.ts";
import { type DeliveryReply, findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { listRunsOfDelivery } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { deliveryQuerySchema } from "#lib/schema/receive/delivery.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export type { DeliveryRecord } from "#lib/db/deliveries/deliveries.ts";
export type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
export type { DeliveryReply } from "#lib/db/replies/find-replies.ts";

export type WholeDelivery = {
  readonly delivery: DeliveryRecord;
  /** The body without its `Content-Encoding`. */
  readonly decoded: DecodedBody;
  readonly runs: readonly RunRecord[];
  /** The response that the provider got from the hook's action, or the one sent instead. */
  readonly reply: DeliveryReply | null;
};

/** Returns a delivery with its payload, runs, and reply. Throws `not_found`. */
export const getDelivery = service({
  permission: "deliveries:read",
  input: byId,
  run: (context, { id }) => readWholeDelivery(context, id),
});

/** The account's deliveries, newest first. */
export const listDeliveries = service({
  permission: "deliveries:read",
  input: deliveryQuerySchema,
  run: ({ db, actor }, { limit, cursor, ...filter }) =>
    findDeliveries(db, actor.accountId, filter, { limit, cursor }),
});

const rows = z.array(z.object({ id: recordId, hookId: recordId }));

/** What a list shows of its deliveries besides themselves, each by its id. */
export const readDeliveryRows = service({
  permission: "deliveries:read",
  input: z.strictObject({ deliveries: rows }),
  run: async ({ db, actor }, { deliveries }) => {
    const ids = deliveries.map(({ id }) => id);
    const hookIds = deliveries.map(({ hookId }) => hookId);
    const [runs, bodyStarts, hooks] = await Promise.all([
      countRuns(db, actor.accountId, ids),
      readBodyStarts(db, actor.accountId, ids),
      readHookLabels(db, actor.accountId, hookIds),
    ]);
    return { runs, bodyStarts, hooks };
  },
});

/** The event types that a hook has received. Without a hook: those of the account. */
export const listReceivedTypes = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: recordId.optional() }),
  run: async ({ db, actor }, { hookId }): Promise<readonly string[]> => {
    if (hookId === undefined) return await listAccountEventTypes(db, actor.accountId);
    return isId(hookId) ? await listEventTypes(db, actor.accountId, hookId) : [];
  },
});

/** The body as received. */
export const readBody = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<Uint8Array> =>
    (await findDelivery(db, actor.accountId, id)).body,
});

export async function readWholeDelivery(
  { db, actor }: ServiceContext,
  deliveryId: string,
): Promise<WholeDelivery> {
  const { accountId } = actor;
  const delivery = await findDelivery(db, accountId, deliveryId);
  const [decoded, runs, reply] = await Promise.all([
    decodeReceived(delivery),
    listRunsOfDelivery(db, accountId, delivery.id),
    findDeliveryReply(db, accountId, delivery.id),
  ]);
  return { delivery, decoded, runs, reply };
}

export async function decodeReceived({ headersJson, body }: DeliveryRecord): Promise<DecodedBody> {
  const headers = toDistinctHeaders(JSON.parse(headersJson));
  return await decodeBody(body, headers["content-encoding"]?.join(", ") ?? null);
}
