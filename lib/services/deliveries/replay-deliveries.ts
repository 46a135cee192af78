import { openActionAuth } from "#lib/db/actions/action-auth.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { createReplayJob, planReplay } from "#lib/db/replays/replay-jobs.ts";
import type { LeftOut, ReplayedPair } from "#lib/db/replays/scan-replayed.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import type { BulkReplay } from "#lib/schema/replay.ts";
import { buildPreview, readStoredDelivery } from "#lib/services/actions/build-preview.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";

/** One of the first runs of a replay: what it would send, or why it would send nothing. */
export type ReplaySample = {
  readonly deliveryId: string;
  readonly actionId: string;
  readonly actionName: string;
  readonly outcome: "run" | "skip" | "fail" | "steps";
  readonly request: { readonly method: string; readonly url: string } | null;
  readonly message: string | null;
};

export type ReplayDryRun = {
  readonly total: number | null;
  readonly sample: readonly ReplaySample[];
  /** What `as: "then"` can't send again. */
  readonly leftOut: LeftOut | null;
};

/** Throws `conflict` if there is nothing to replay. */
export async function startReplay(
  { db }: ServiceParts,
  accountId: string,
  input: BulkReplay,
): Promise<BulkJobRecord> {
  return await createReplayJob(db, accountId, await planReplay(db, accountId, input));
}

/** What a replay would do now. Sends and queues nothing. */
export async function tryReplay(
  context: ServiceParts,
  accountId: string,
  input: BulkReplay,
): Promise<ReplayDryRun> {
  const { total, sample, leftOut } = await planReplay(context.db, accountId, input);
  return {
    total,
    leftOut,
    sample: await Promise.all(sample.map((pair) => showSample(context, accountId, pair))),
  };
}

async function showSample(
  context: ServiceParts,
  accountId: string,
  { deliveryId, actionId, sentBy }: ReplayedPair,
): Promise<ReplaySample> {
  const { db, sealer } = context;
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
