import { z } from "zod";
import { toHookView } from "#lib/core/hook/to-hook-view.ts";
import { buildMappingTree, type MappingTree } from "#lib/core/payload-tree/mapping-tree.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import type { StepPlace } from "#lib/services/actions/preview-draft.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import type { MappingTreeInput } from "#lib/services/threads/web-tasks.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { readStepResults } from "./read-step-results.ts";
import { type ShownResult, showResults } from "./show-result.ts";

const offeredDeliveries = 20;

/** A delivery to try an action on. */
export type MappingDelivery = Pick<
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
  run: ({ db, actor }, { hookId, ...wanted }) =>
    findMappingDeliveries({ db }, actor.accountId, hookId, wanted),
});

/** Lists the deliveries without an actor, for a page. */
export async function findMappingDeliveries(
  { db }: Pick<ServiceParts, "db">,
  accountId: string,
  hookId: string,
  wanted: Pick<DeliveryFilter, "eventType" | "q"> = {},
): Promise<readonly MappingDelivery[]> {
  const filter = { ...wanted, hookId, status: "accepted" } as const;
  const { items } = await listDeliveries(db, accountId, filter, { limit: offeredDeliveries });
  return items.map(toMappingDelivery);
}

const maxNameChars = 200;

export function toMappingDelivery(delivery: MappingDelivery): MappingDelivery {
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
  input: z.strictObject({
    hookId: recordId,
    actionId: recordId.nullable(),
    deliveryId: recordId,
  }),
  run: (context, place) => loadMappingPayload(context, context.actor.accountId, place),
});

/** Reads the payload without an actor, for a page. */
export async function loadMappingPayload(
  context: ServiceParts,
  accountId: string,
  { hookId, actionId, deliveryId }: StepPlace,
): Promise<MappingPayload> {
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
}

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
