import { buildMappingTree, type MappingTree } from "#lib/core/payload-tree/mapping-tree.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import { AppError } from "#lib/errors.ts";
import { readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import type { StepPlace } from "#lib/services/actions/preview-draft.ts";
import { readStepResults } from "#lib/services/actions/steps/read-step-results.ts";
import { type ShownResult, showResults } from "#lib/services/actions/steps/show-result.ts";
import type { MappingTreeInput } from "#lib/services/threads/web-tasks.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { listShownAuths } from "#lib/web/views/show-action.ts";
import { readAction, readHook } from "./read-named.ts";

const offeredDeliveries = 20;

/**
 * What the editor needs besides the action: deliveries to try it on, `chosen` first. Throws
 * `not_found`.
 */
export async function readMappingGround(
  context: ServerContext,
  accountId: string,
  { hookId, actionId }: { readonly hookId: string; readonly actionId: string | null },
  chosen?: string,
) {
  const { id, name, provider } = await readHook(context, accountId, hookId);
  const [recent, eventTypes] = await Promise.all([
    listMappingDeliveries(context, accountId, id),
    listEventTypes(context.db, accountId, id),
  ]);
  const isOffered = chosen === undefined || recent.some((delivery) => delivery.id === chosen);
  const deliveries = isOffered
    ? recent
    : [...(await readChosen(context, accountId, id, chosen)), ...recent];
  const first = deliveries.find((delivery) => delivery.id === chosen) ?? deliveries[0];
  return {
    hook: { id, name, provider },
    deliveries,
    eventTypes,
    deliveryId: first?.id ?? null,
    payload:
      first === undefined
        ? null
        : await readMappingPayload(context, accountId, {
            hookId,
            actionId,
            deliveryId: first.id,
          }),
  };
}

export type MappingDelivery = {
  readonly id: string;
  readonly name: string;
  readonly receivedAt: Date;
};

/** The latest accepted ones, of one event type or all. */
export async function listMappingDeliveries(
  { db }: ServerContext,
  accountId: string,
  hookId: string,
  eventType?: string,
): Promise<readonly MappingDelivery[]> {
  const filter = { hookId, status: "accepted", eventType } as const;
  const { items } = await listDeliveries(db, accountId, filter, { limit: offeredDeliveries });
  return items.map(toMappingDelivery);
}

/** The one in the URL; undefined if it isn't this hook's. */
async function readChosen(
  { db }: ServerContext,
  accountId: string,
  hookId: string,
  deliveryId: string,
): Promise<readonly MappingDelivery[]> {
  const found = await getDelivery(db, accountId, deliveryId).catch(noneIfNotFound);
  return found?.hookId === hookId ? [toMappingDelivery(found)] : [];
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}

function toMappingDelivery(delivery: {
  readonly id: string;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly receivedAt: Date;
}): MappingDelivery {
  const { id, eventType, eventId, receivedAt } = delivery;
  return { id, receivedAt, name: (eventType ?? eventId ?? "Delivery").slice(0, 100) };
}

/** A delivery as templates see it, and what the steps of the action's last run on it gave. */
export type MappingPayload = MappingTree & {
  readonly lastRun: {
    readonly runId: string;
    readonly at: Date;
    readonly results: readonly ShownResult[];
  } | null;
};

/** What templates can use of a delivery. Throws `not_found`. */
export async function readMappingPayload(
  context: ServerContext,
  accountId: string,
  { hookId, actionId, deliveryId }: StepPlace,
): Promise<MappingPayload> {
  const [{ id, name }, delivery, last] = await Promise.all([
    getHook(context.db, accountId, hookId),
    readStoredDelivery(context, accountId, deliveryId),
    actionId === null ? null : readStepResults(context, accountId, actionId, deliveryId),
  ]);
  const tree = await readMappingTree(accountId, { delivery, hook: { id, name } });
  return {
    ...tree,
    lastRun: last === null ? null : { ...last, results: showResults(last.results) },
  };
}

/**
 * A saved action for its editor, with only the kind and a hint of its credentials, by the key of the
 * step. Throws `not_found`.
 */
export async function readEditedAction(
  context: ServerContext,
  accountId: string,
  actionId: string,
) {
  const action = await readAction(context, accountId, actionId);
  const breakerState = await readBreaker(context.db, action.id);
  return { action, auths: listShownAuths(action, context.sealer), breakerState };
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
