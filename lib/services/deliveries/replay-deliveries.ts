import { AppError } from "#lib/base/errors.ts";
import { mapFew } from "#lib/base/map-few.ts";
import { firstId } from "#lib/core/api/page.ts";
import { openActionAuth } from "#lib/core/sending/credential/action-auth.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import {
  type LockedDelivery,
  lockDelivery,
  queueReplay,
  readEnabled,
} from "#lib/db/deliveries/replay-delivery.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { hearAgain } from "#lib/db/listeners/log-positions.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import {
  countReplayed,
  findNewestAccepted,
  listActionStates,
  type ReplayCount,
} from "#lib/db/replays/replay-jobs.ts";
import type { LeftOut, ReplayedPair } from "#lib/db/replays/scan-replayed.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import { readRuns } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import type { JobLimits } from "#lib/schema/act/bulk-job.ts";
import { type BulkReplay, bulkReplaySchema, type ReplayFilter } from "#lib/schema/act/replay.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { replaySchema } from "#lib/schema/receive/delivery.ts";
import { isReplayable } from "#lib/schema/receive/delivery-status.ts";
import { buildPreview, readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

/** One of the first runs of a replay: what it would send, or why it would send nothing. */
type ReplaySample = {
  readonly deliveryId: string;
  readonly actionId: string;
  readonly actionName: string;
  readonly outcome: "run" | "skip" | "fail" | "steps";
  readonly request: { readonly method: string; readonly url: string } | null;
  readonly message: string | null;
};

type ReplayDryRun = {
  readonly total: number | null;
  readonly sample: readonly ReplaySample[];
  /** The parts that `as: "then"` can't send again. */
  readonly leftOut: LeftOut | null;
};

const input = bulkReplaySchema.omit({ dryRun: true });

/**
 * Starts a background job that runs actions on the accepted deliveries that exist now, oldest
 * first. Throws `conflict` if there are none.
 */
export const startReplay = service({
  permission: "deliveries:write",
  input,
  run: (context, replay) => start(context, replay),
});

/** Shows what a replay would do now. Sends and queues nothing. */
export const tryReplay = service({
  permission: "deliveries:write",
  input,
  run: (context, replay) => tryOut(context, replay),
});

/** Starts a replay, or shows what it would do if `dryRun` is set. */
export const replayDeliveries = service({
  permission: "deliveries:write",
  input: bulkReplaySchema,
  run: async (context, { dryRun, ...replay }): Promise<StartedReplay> =>
    dryRun
      ? { kind: "tried", result: await tryOut(context, replay) }
      : { kind: "started", job: await start(context, replay) },
});

export type StartedReplay =
  | { readonly kind: "started"; readonly job: BulkJobRecord }
  | { readonly kind: "tried"; readonly result: ReplayDryRun };

async function start(
  context: ServiceContext,
  replay: ReplayInput & JobLimits,
): Promise<BulkJobRecord> {
  const { filter, total, leftOut } = await planReplay(context, replay);
  if (total === 0)
    throw new AppError(
      "conflict",
      leftOut === null || leftOut.notStored === 0
        ? "Nothing to replay. Change the filter and try again."
        : `Nothing to replay: ${describeNotStored(leftOut.notStored)}`,
    );
  const newest = (await findNewestAccepted(context.db, filter.hookId)) ?? firstId;
  const job = {
    kind: "replay",
    filter: { ...filter, newest },
    total,
    seenBefore: firstId,
  } as const;
  return await startBulkJob(context, job, replay);
}

/** `count` is at least 1. */
function describeNotStored(count: number): string {
  const runs = count === 1 ? "1 run is" : `${count} runs are`;
  return `${runs} from before an upgrade, without the request that can be sent again. Use as: now.`;
}

async function tryOut(context: ServiceContext, replay: ReplayInput): Promise<ReplayDryRun> {
  const { total, sample, leftOut } = await planReplay(context, replay);
  return {
    total,
    leftOut,
    sample: await mapFew(sample, (pair) => showSample(context, pair)),
  };
}

async function showSample(
  context: ServiceContext,
  { deliveryId, actionId, sentBy }: ReplayedPair,
): Promise<ReplaySample> {
  const { db, sealer } = context;
  const { accountId } = context.actor;
  const action = await getAction(db, accountId, actionId);
  const about = { deliveryId, actionId, actionName: action.name };
  if (sentBy !== null) {
    const { attempts } = await getRun(db, accountId, sentBy);
    const json = attempts.at(-1)?.requestJson ?? null;
    const request = json === null ? null : readStart(json);
    return { ...about, outcome: "run", request, message: null };
  }
  const { request, filter } = action;
  if (request === null) {
    const message = "Its steps depend on responses. A backtest shows more.";
    return { ...about, outcome: "steps", request: null, message };
  }
  const [hook, delivery] = await Promise.all([
    getHook(db, accountId, action.hookId),
    readStoredDelivery(context, accountId, deliveryId),
  ]);
  const auth = openActionAuth(sealer, action);
  const preview = await buildPreview(context, {
    action: { request, filter },
    hook,
    delivery,
    auth,
  });
  const shown = preview.request === undefined ? null : pickStart(preview.request);
  if (preview.ok) return { ...about, outcome: "run", request: shown, message: null };
  const outcome = preview.code === "filter_not_matched" ? "skip" : "fail";
  return { ...about, outcome, request: shown, message: preview.errors[0]?.message ?? null };
}

function readStart(json: string): ReplaySample["request"] {
  return pickStart(JSON.parse(json) as { method: string; url: string });
}

function pickStart({ method, url }: { readonly method: string; readonly url: string }) {
  return { method, url };
}

type ReplayInput = Omit<BulkReplay, "dryRun" | keyof JobLimits>;
type ReplayPlan = ReplayCount & { readonly filter: ReplayFilter };

/** Returns what a replay would do. Throws `not_found` or `conflict`, and names the field to change. */
export async function planReplay(
  { db, actor }: ServiceContext,
  { filter: of, actionIds, as, onlyMissing }: ReplayInput,
): Promise<ReplayPlan> {
  const hook = await getHook(db, actor.accountId, of.hookId);
  const actions = chooseActions(await listActionStates(db, hook.id), actionIds);
  if (as === "then" && onlyMissing)
    throw new AppError(
      "invalid_request",
      "as: a delivery without a run has no request of then. Use now, or leave out onlyMissing.",
      { errors: [{ path: "as", code: "conflict", message: "can't be then with onlyMissing" }] },
    );
  const filter: ReplayFilter = { ...of, hookId: hook.id, actionIds: actions, as, onlyMissing };
  return { filter, ...(await countReplayed(db, actor.accountId, filter)) };
}

type ActionState = { readonly id: string; readonly enabled: boolean };

/** The enabled actions in the order of the hook. A run of a disabled action would only wait. */
function chooseActions(
  states: readonly ActionState[],
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (wanted === undefined) {
    const enabled = states.filter((state) => state.enabled).map(({ id }) => id);
    if (enabled.length > 0) return enabled;
    throw new AppError("conflict", "The hook has no enabled action, so there is nothing to run.");
  }
  for (const [index, id] of wanted.entries()) {
    const found = states.find((state) => state.id === id);
    const path = `actionIds.${index}`;
    if (found === undefined)
      throw new AppError("not_found", "The hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!found.enabled)
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
  return states.map(({ id }) => id).filter((id) => wanted.includes(id));
}

/**
 * Queues new runs of a delivery: for the hook's enabled actions, or for the given ones. Unless some are
 * given, those who listen to the hook hear it again, too. Accepted
 * deliveries and duplicates can be replayed. Rejected ones can't: they were never proven to come from
 * the provider. Returns the new runs.
 */
export const replayDelivery = service({
  permission: "deliveries:write",
  input: replaySchema.extend({ id: recordId }),
  run: async (context, { id, actionIds }): Promise<readonly RunRecord[]> => {
    const { db, actor } = context;
    const ids = await db.$transaction(async (tx) => {
      const delivery = await lockDelivery(tx, actor.accountId, id);
      if (!isReplayable(delivery.status)) throw new AppError("conflict", whyNot(delivery));
      if (actionIds !== undefined) await requireEnabled(tx, delivery.hookId, actionIds);
      const queued = await queueReplay(tx, actor.accountId, delivery, actionIds);
      const again = { accountId: actor.accountId, deliveryIds: [id], listenerId: null };
      const listened = actionIds === undefined ? await hearAgain(tx, again) : 0;
      if (queued.length + listened === 0) throw new AppError("conflict", nothingToRun);
      const targets = [{ type: "delivery", id }];
      await audit(context, { event: "delivery.replayed", targets }, tx);
      return queued;
    });
    notifyRunsDue(db);
    return await readRuns(db, actor.accountId, { ids, limit: ids.length });
  },
});

const nothingToRun = "The hook has no enabled action, so there is nothing to run.";

function whyNot({ status, reason }: LockedDelivery): string {
  switch (status) {
    case "pending":
      return (
        "This delivery is not verified yet, so it can't be replayed. Add the " +
        "hook's signing secret, then verify pending deliveries."
      );
    case "handshake":
      return "This was a handshake, not an event, so there is nothing to run.";
    case "batch":
      return "This request contained several events, stored as separate deliveries. Replay those.";
    default: {
      const why = reason === null ? "" : ` (${reason})`;
      return (
        `This delivery was rejected${why}, so it can't be replayed. Fix ` +
        "the cause and have the provider send it again."
      );
    }
  }
}

/** The enabled actions of this hook. A run of a disabled action would only wait. */
async function requireEnabled(
  tx: Transaction,
  hookId: string,
  actionIds: readonly string[],
): Promise<void> {
  const isEnabled = await readEnabled(tx, hookId, actionIds);
  for (const [index, id] of actionIds.entries()) {
    const path = `actionIds.${index}`;
    if (!isEnabled.has(id))
      throw new AppError("not_found", "The delivery's hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!isEnabled.get(id))
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
}
