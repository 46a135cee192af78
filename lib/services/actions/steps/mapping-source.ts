import { z } from "zod";
import { buildMappingTree, type MappingTree } from "#lib/core/mapping/payload-tree/mapping-tree.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import { service } from "#lib/services/frame/service.ts";
import type { MappingTreeInput } from "#lib/services/threads/web-tasks.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { readStepResults, type ShownResult, showResults } from "./step-results.ts";

const offeredDeliveries = 20;

const stepPlace = z.strictObject({ hookId: recordId, actionId: recordId.nullable() });

/** The start of an editor: deliveries to try the action on, and what the first one has. */
export const readMappingSource = service({
  permission: "deliveries:read",
  input: stepPlace.extend({
    /** The delivery to begin with, if it is one of the hook. */
    chosen: recordId.optional().catch(undefined),
  }),
  run: async (context, { chosen, ...place }) => {
    const { db, actor } = context;
    const { hookId } = place;
    const [recent, eventTypes] = await Promise.all([
      listMappingDeliveries(context, { hookId }),
      listEventTypes(db, actor.accountId, hookId),
    ]);
    const isOffered = chosen === undefined || recent.some(({ id }) => id === chosen);
    const { items: found } = isOffered
      ? { items: [] }
      : await listDeliveries(db, actor.accountId, { hookId, ids: [chosen] }, { limit: 1 });
    const deliveries = [...found.map(toMappingDelivery), ...recent];
    const first = deliveries.find(({ id }) => id === chosen) ?? deliveries[0];
    return {
      deliveries,
      eventTypes,
      deliveryId: first?.id ?? null,
      payload:
        first === undefined
          ? null
          : await readMappingPayload(context, { ...place, deliveryId: first.id }),
    };
  },
});

/** A delivery to try an action on. */
type MappingDelivery = Pick<
  DeliverySummary,
  "id" | "eventType" | "eventId" | "isSample" | "receivedAt"
>;

/** The latest accepted deliveries of a hook, of one event type or all, in which a text is found. */
export const listMappingDeliveries = service({
  permission: "deliveries:read",
  input: z.strictObject({
    hookId: recordId,
    eventType: z.string().max(500).optional(),
    q: z.string().trim().min(1).max(200).optional(),
  }),
  run: async ({ db, actor }, wanted): Promise<readonly MappingDelivery[]> => {
    const filter = { ...wanted, status: "accepted" } as const;
    const page = { limit: offeredDeliveries };
    const { items } = await listDeliveries(db, actor.accountId, filter, page);
    return items.map(toMappingDelivery);
  },
});

const maxNameChars = 200;

function toMappingDelivery(delivery: MappingDelivery): MappingDelivery {
  const { id, eventType, eventId, isSample, receivedAt } = delivery;
  return {
    id,
    eventType,
    eventId: eventId?.slice(0, maxNameChars) ?? null,
    isSample,
    receivedAt,
  };
}

/** A delivery as templates see it, and what the steps of the action's last run on it gave. */
type MappingPayload = MappingTree & {
  readonly lastRun: {
    readonly runId: string;
    readonly at: Date;
    readonly results: readonly ShownResult[];
  } | null;
};

/** The data of a delivery that templates can use. Throws `not_found`. */
export const readMappingPayload = service({
  permission: "deliveries:read",
  input: stepPlace.extend({ deliveryId: recordId }),
  run: async (context, { hookId, actionId, deliveryId }): Promise<MappingPayload> => {
    const { accountId } = context.actor;
    const [hook, delivery, last] = await Promise.all([
      getHook(context.db, accountId, hookId),
      readStoredDelivery(context, accountId, deliveryId),
      actionId === null ? null : readStepResults(context, accountId, actionId, deliveryId),
    ]);
    const tree = await readMappingTree(accountId, { delivery, hook: toHookView(hook) });
    return {
      ...tree,
      lastRun: last === null ? null : { ...last, results: showResults(last.results) },
    };
  },
});

const maxBytesAtOnce = 32 * 1024;
const treeLimitMs = 4_000;

/** A large or compressed body is read in a thread. If that takes too long, it can't be mapped. */
async function readMappingTree(accountId: string, input: MappingTreeInput): Promise<MappingTree> {
  const { body, headers } = input.delivery;
  const isEncoded = headers.some(([name]) => name.toLowerCase() === "content-encoding");
  if (body.byteLength <= maxBytesAtOnce && !isEncoded)
    return await buildMappingTree(input.delivery, input.hook);
  const outcome = await webThreads().run("buildMappingTree", input, {
    accountId,
    limitsMs: { run: treeLimitMs },
  });
  if (outcome.kind === "done") return outcome.value;
  const bare = { ...input.delivery, body: new Uint8Array() };
  const tree = await buildMappingTree(bare, input.hook);
  return {
    ...tree,
    treeProblem: "The body takes too long to read. You can still use headers, query, and path.",
  };
}
