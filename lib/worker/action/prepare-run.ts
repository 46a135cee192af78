import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { Made, Need } from "#lib/core/mapping/build-request/need.ts";
import type { PrepareInput } from "#lib/core/mapping/build-request/prepare-call.ts";
import { type BuildError, toFieldErrors } from "#lib/core/mapping/build-request/problem-list.ts";
import type { Prepared } from "#lib/core/steps/kinds/step-kind.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { type PrepareWork, prepareBounded } from "#lib/threads/prepare-bounded.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import type { CallConfig } from "../config/action-config.ts";
import { readDelivery } from "./read-delivery.ts";

type RunInput = {
  readonly target: RunTarget;
  readonly config: CallConfig;
  readonly delivery: RunDelivery;
  readonly runId: string;
  readonly version: string;
  readonly nowMs: number;
};

/** Prepares the filter and a need, with one outcome for both. */
export async function prepareNeed<N extends Need>(
  threads: Threads<PrepareTasks>,
  input: Omit<PrepareInput<N>, "builds">,
  work: PrepareWork,
): Promise<Prepared<Made<N>>> {
  const { verdict, built } = await prepareBounded<N>(
    threads,
    { ...input, builds: "when_matched" },
    work,
  );
  if (!verdict.matches) return { kind: "skip", message: verdict.because };
  if (built?.ok === true) return { kind: "ready", value: built.made };
  const { code, errors } = built ?? { code: "internal", errors: [] };
  const message = errors.map(showError).join("; ");
  return { kind: "fail", code, message, errors: toFieldErrors(errors) };
}

/** Everything between a claimed run and its call. */
export function prepareRun(
  threads: Threads<PrepareTasks>,
  run: RunInput,
): Promise<Prepared<OutgoingRequest>> {
  const { target, config, delivery, runId, version, nowMs } = run;
  const { filter, request, auth } = config;
  const { view, readContext } = readDelivery(delivery);
  const need = { kind: "request", request, auth, runId, version } as const;
  const input = { delivery: view, hook: target.hook, filter, need, nowMs };
  const actionChars = (target.requestJson?.length ?? 0) + (target.filterJson?.length ?? 0);
  const work = { accountId: target.accountId, actionChars, readContext };
  return prepareNeed(threads, input, work);
}

function showError({ at, message }: BuildError): string {
  return at === "" ? message : `${at}: ${message}`;
}
