import type { Need } from "#lib/core/mapping/build-request/need.ts";
import {
  type Prepared,
  type PrepareInput,
  type PrepareOptions,
  prepareCall,
} from "#lib/core/mapping/build-request/prepare-call.ts";
import { type PrepareTasks, toSent } from "./prepare-call-task.ts";
import type { ThreadOutcome } from "./thread-outcome.ts";
import type { Threads } from "./thread-pool.ts";

export type PrepareWork = {
  readonly accountId: string;
  /** The length of the action's templates and filter as JSON. */
  readonly actionChars: number;
  /** The limit for templates and filter. Default: 250. */
  readonly mapLimitMs?: number;
  /** Used for small work. See `PrepareOptions`. */
  readonly readContext?: PrepareOptions["readContext"];
  /** Runs small work in a thread too, because there is a lot of it. */
  readonly isInThread?: boolean;
};

/**
 * Runs `prepareCall` with a deadline: no delivery or action blocks the process for more than a few
 * milliseconds. Small work is done here within a small budget. Large work, or work that exceeds
 * that budget, goes to a thread with the full budget and a deadline. Time only decides whether
 * there is a result, so both ways produce the same.
 */
export async function prepareBounded<N extends Need>(
  threads: Threads<PrepareTasks>,
  input: PrepareInput<N>,
  { accountId, actionChars, mapLimitMs = 250, readContext, isInThread = false }: PrepareWork,
): Promise<Prepared<N>> {
  const isHere = !isInThread && isSmall(input, actionChars);
  const atOnce = isHere
    ? await prepareCall(input, { limits: smallBudget, ...(readContext && { readContext }) })
    : null;
  if (atOnce !== null) return atOnce;
  const limitsMs = { run: readLimitMs(input.delivery.body.byteLength), map: mapLimitMs };
  const outcome = await threads.run("prepareCall", toSent(input), { accountId, limitsMs });
  if (outcome.kind !== "done" || outcome.value === null) return stopped(outcome);
  return outcome.value as Prepared<N>;
}

/** Reading depends on the body's size, not on the action, so it has its own limit. */
function readLimitMs(bytes: number): number {
  return 1_000 + (bytes / 1024 / 1024) * 300;
}

/**
 * Measured: reading 32 KiB takes some 10 ms if the body is nothing but exact numbers, and 0.2 ms
 * for an ordinary body.
 */
const maxSmallBytes = 32 * 1024;
const maxSmallActionChars = 64 * 1024;

/**
 * Enough for a loop over a few hundred items, or a pass over a megabyte of text: some 3 ms at most.
 */
const smallBudget = { maxSteps: 2_000, maxUnits: 1_000_000 };

/** A compressed body may expand to 10 MiB. */
function isSmall({ delivery: { body, headers } }: PrepareInput, actionChars: number): boolean {
  return (
    body.byteLength <= maxSmallBytes &&
    actionChars <= maxSmallActionChars &&
    !headers.some(([name]) => name.length === 16 && name.toLowerCase() === "content-encoding")
  );
}

function stopped<N extends Need>(outcome: ThreadOutcome<unknown>): Prepared<N> {
  const errors = [{ at: "", message: explain(outcome) }];
  return {
    verdict: { matches: true },
    built: { ok: false, code: "mapping_too_slow", errors },
    resolved: [],
  };
}

function explain(outcome: ThreadOutcome<unknown>): string {
  if (outcome.kind === "done" || outcome.kind === "too_busy")
    return `The mapping could not be done. ${advice}`;
  if (outcome.kind === "too_large")
    return `The mapping needed more than ${outcome.limitMb} MB of memory and was stopped. ${advice}`;
  const limit = `took longer than ${Math.round(outcome.limitMs)} ms`;
  if (outcome.phase === "map") return `The mapping ${limit} and was stopped. ${advice}`;
  return `Reading the body ${limit} and was stopped. Have the provider send less in one delivery.`;
}

const advice =
  "Use fewer loops and filters over long lists or large numbers, or have the provider send less in one delivery.";
