import { readDeliveryContext } from "#lib/core/mapping/build-request/delivery-context.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { listReads, type Read } from "#lib/core/watch/shape/list-reads.ts";
import { isWithin } from "#lib/core/watch/shape/shape-path.ts";
import {
  unknownShape,
  type WatchedShape,
  watchedShapeSchema,
  watchPayload,
} from "#lib/core/watch/shape/watch-shape.ts";
import { listEnabledActions } from "#lib/db/actions/actions.ts";
import {
  findDueHook,
  isUnresolved,
  moveCursor,
  readNewDeliveries,
  readShapes,
  type ShapedDelivery,
  type ShapedHook,
  saveShape,
} from "#lib/db/hooks/hook-shapes.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { defineJob, type Job } from "#lib/jobs/job.ts";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

type ReadingAction = {
  readonly id: string;
  readonly name: string;
  readonly reads: readonly Read[];
};

/** Learns the fields of accepted deliveries, and finds those that change. */
export function shapeJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "learn_shapes",
    async lock(use) {
      return await db.$transaction(async (tx) => {
        const hook = await findDueHook(tx);
        return hook === null ? false : await use({ tx, hook });
      });
    },
    async workBatch({ tx, hook }: { readonly tx: SqlStatements; readonly hook: ShapedHook }) {
      await lookAt(tx, hook);
      await moveCursor(tx, hook.hookId, hook.newest);
      return true;
    },
  });
}

async function lookAt(tx: SqlStatements, hook: ShapedHook): Promise<void> {
  const deliveries = await readNewDeliveries(tx, hook);
  if (deliveries.length === 0) return;
  const actions = (await listEnabledActions(tx, hook.hookId)).map(
    (action): ReadingAction => ({ id: action.id, name: action.name, reads: listReads(action) }),
  );
  const byType = Map.groupBy(deliveries, ({ eventType }) => eventType ?? "");
  const shapes = await readShapes(tx, hook.hookId, [...byType.keys()]);
  for (const [eventType, ofType] of byType) {
    const stored = shapes.get(eventType);
    const before = stored === undefined ? unknownShape : watchedShapeSchema.parse(stored);
    const known = await forgetIfResolved(tx, hook, eventType, before);
    const after = await watchType(tx, { hook, eventType, actions, deliveries: ofType }, known);
    if (after !== before) await saveShape(tx, hook.hookId, eventType, after);
  }
}

/** Someone who resolves the problem accepts the new shape, which is learned from the start. */
async function forgetIfResolved(
  tx: SqlStatements,
  { accountId, hookId }: ShapedHook,
  eventType: string,
  watched: WatchedShape,
): Promise<WatchedShape> {
  if (watched.difference === null) return watched;
  return (await isUnresolved(tx, accountId, toKey(hookId, eventType))) ? watched : unknownShape;
}

type TypeOfHook = {
  readonly hook: ShapedHook;
  readonly eventType: string;
  readonly actions: readonly ReadingAction[];
  readonly deliveries: readonly ShapedDelivery[];
};

async function watchType(
  tx: SqlStatements,
  { hook, eventType, actions, deliveries }: TypeOfHook,
  known: WatchedShape,
): Promise<WatchedShape> {
  const readPaths = actions.flatMap(({ reads }) => reads.map(({ path }) => path));
  let watched = known;
  for (const delivery of deliveries) {
    const payload = await readPayloadOf(delivery, hook);
    if (payload === undefined) continue;
    const step = watchPayload(watched, payload, readPaths);
    watched = step.watched;
    const key = toKey(hook.hookId, eventType);
    if (step.outcome === "over") await resolveProblem(tx, hook.accountId, key);
    if (step.outcome !== "differs") continue;
    await openProblem(tx, {
      accountId: hook.accountId,
      kind: "shape",
      key,
      hookId: hook.hookId,
      deliveryId: delivery.id,
      at: delivery.receivedAt,
      details: toDetails(eventType, watched, actions),
    });
  }
  return watched;
}

/** Undefined: the body can't be read. */
async function readPayloadOf(delivery: ShapedDelivery, hook: ShapedHook): Promise<unknown> {
  const view = {
    ...delivery,
    receivedAtMs: delivery.receivedAt.getTime(),
    method: "POST",
    path: "",
    query: "",
    eventId: null,
    isSample: false,
  };
  const context = await readDeliveryContext(view, toHookView({ ...hook, id: hook.hookId }));
  return context.readName("payload");
}

function toDetails(
  eventType: string,
  { difference }: WatchedShape,
  actions: readonly ReadingAction[],
): ProblemDetails {
  const changes = difference?.changes ?? [];
  const broken = actions.map(({ id, name, reads }) => {
    const own = reads.filter(({ path }) =>
      changes.some((change) => change.change !== "new" && isWithin(path, change.path)),
    );
    const paths = [...new Set(own.map(({ path }) => path))];
    return { id, name, paths, readBy: [...new Set(own.map(({ at }) => at))].slice(0, maxNamed) };
  });
  return {
    kind: "shape",
    eventType: eventType === "" ? null : eventType,
    changes: changes.map(({ path, change, before, after }) => ({ path, change, before, after })),
    actions: broken.filter(({ paths }) => paths.length > 0),
  };
}

const maxNamed = 50;

function toKey(hookId: string, eventType: string): string {
  return `shape:${hookId}:${eventType}`;
}
