import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { ActionConfigs } from "./action-config.ts";
import { conclude, type Executed, end, failBeforeCall } from "./outcome/run-outcome.ts";
import { toStoredRequest } from "./outcome/stored-attempt.ts";
import { prepareRun } from "./prepare-run.ts";

export type ExecuteOptions = {
  readonly client: HttpClient;
  readonly configs: ActionConfigs;
  /** For requests that are too large or slow to build between other runs. */
  readonly threads: ThreadPool<PrepareTasks>;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** Cancels calls in flight when the worker has to stop. */
  readonly signal: AbortSignal;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
};

export type ExecuteInput = {
  readonly run: ClaimedRun;
  /** Undefined: deleted since the run was queued. */
  readonly target: RunTarget | undefined;
  readonly delivery: RunDelivery | undefined;
};

/**
 * Makes one attempt of an action's run: filter, request, call, and next state. Never rejects because of a
 * delivery, an action, or a receiver.
 */
export async function executeRun(input: ExecuteInput, options: ExecuteOptions): Promise<Executed> {
  const { run, target, delivery } = input;
  if (target === undefined) return end(run, "cancelled", "action_gone", "The action was deleted.");
  if (delivery === undefined)
    return end(run, "failed", "delivery_gone", "The delivery is no longer stored.");
  const read = options.configs.read(target);
  if (!read.ok) return failBeforeCall(run, read.code, read.message, []);
  const { config } = read;
  const prepared = await prepareRun(options.threads, {
    runId: run.id,
    target,
    config,
    delivery,
    version: options.version,
    nowMs: Date.now(),
  });
  switch (prepared.kind) {
    case "skip":
      return end(run, "skipped", prepared.code, prepared.message);
    case "fail":
      return failBeforeCall(run, prepared.code, prepared.message, config.secretValues);
    case "call": {
      const startedAtMs = Date.now();
      const requestJson = toStoredRequest(prepared.request, config.secretValues);
      const { timeoutMs } = target.options;
      const result = await options.client.call(prepared.request, {
        timeoutMs,
        signal: options.signal,
      });
      const made = { startedAtMs, requestJson, result };
      return conclude(run, made, { ...config, random: options.random() });
    }
    default:
      return prepared satisfies never;
  }
}
