import { AppError } from "#lib/base/errors.ts";
import { mapFew } from "#lib/base/map-few.ts";
import { firstId } from "#lib/core/api/page.ts";
import { openActionAuth } from "#lib/core/sending/credential/action-auth.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { findNewestAccepted } from "#lib/db/replays/replay-jobs.ts";
import type { LeftOut, ReplayedPair } from "#lib/db/replays/scan-replayed.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import type { JobLimits } from "#lib/schema/act/bulk-job.ts";
import { bulkReplaySchema } from "#lib/schema/act/replay.ts";
import { buildPreview, readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { planReplay, type ReplayInput } from "./plan-replay.ts";

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
    const message = "What its steps send depends on answers. A backtest shows more.";
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
