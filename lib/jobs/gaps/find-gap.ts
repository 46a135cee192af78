import {
  type ComparedEvent,
  failGap,
  type LeasedGap,
  leaseGap,
  type PageEnd,
  postponeGap,
  storePage,
} from "#lib/db/gaps/work-gaps.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type EvaluationOptions, loadEvaluationParts } from "../evaluation-parts.ts";
import { defineJob, type Job } from "../job.ts";
import type { AskProvider } from "./ask-provider.ts";
import { findPlace } from "./find-place.ts";

type Outcome =
  | { readonly kind: "page"; readonly events: readonly ComparedEvent[]; readonly place: PageEnd }
  | { readonly kind: "wait"; readonly reason: string; readonly waitMs: number }
  | { readonly kind: "end"; readonly reason: string };

/** A provider may list an event some seconds after its webhook. */
const usualSettleMs = 30_000;

/**
 * Asks a provider for its events and compares them with what arrived. A page takes seconds, so it
 * has a lease instead of a transaction. Its events and where the next page begins are written
 * together.
 */
export function findGapJob(options: EvaluationOptions, settleMs = usualSettleMs): Job {
  const { db } = options;
  let asking: Promise<AskProvider> | undefined;
  return defineJob<LeasedGap, Outcome>({
    kind: "find_gap",
    async lock(use) {
      const gap = await leaseGap(db);
      if (gap === null) return false;
      const outcome = await use(gap).catch(async (error: unknown) => {
        // Not while PostgreSQL is away: then the lease ends by itself.
        await store(db, gap, tryLater(gap, broken, null)).catch(() => {});
        throw error;
      });
      await store(db, gap, outcome);
      return true;
    },
    async workBatch(gap, signal) {
      asking ??= loadAsking(options);
      const reply = await (await asking)(gap, signal);
      switch (reply.kind) {
        case "page": {
          const { events, next, pauseMs } = reply;
          return { kind: "page", events, place: findPlace(gap, next, { pauseMs, settleMs }) };
        }
        case "wait":
          return tryLater(gap, reply.reason, reply.waitMs);
        case "end":
          return reply;
        default:
          return reply satisfies never;
      }
    },
  });
}

const broken = "Catchment couldn't compare a page of events. The server's log has the error.";

/** The provider catalog is loaded with the first search: other workers don't need it. */
async function loadAsking(options: EvaluationOptions): Promise<AskProvider> {
  const [{ createAsking }, parts] = await Promise.all([
    import("./ask-provider.ts"),
    loadEvaluationParts(options),
  ]);
  return createAsking(options, parts);
}

/** After so many tries without a page, a search ends. With the waits below, that is an hour. */
const maxTries = 15;
const firstWaitMs = 1_000;
const maxWaitMs = 300_000;
/** A provider may ask for more, but not for longer than this. */
const maxAskedMs = 3_600_000;

/** @param askedMs the wait that the provider asked for. Null: none */
function tryLater({ tryCount }: LeasedGap, reason: string, askedMs: number | null): Outcome {
  if (tryCount + 1 >= maxTries)
    return { kind: "end", reason: `${reason} It was asked ${maxTries} times. Search again later.` };
  const ownMs = Math.min(maxWaitMs, firstWaitMs * 2 ** tryCount);
  return { kind: "wait", reason, waitMs: Math.min(maxAskedMs, askedMs ?? ownMs) };
}

async function store(db: SqlDatabase, gap: LeasedGap, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case "page":
      return await storePage(db, gap, outcome.events, outcome.place);
    case "wait":
      return await postponeGap(db, gap, outcome);
    case "end":
      return await failGap(db, gap, outcome.reason);
    default:
      return outcome satisfies never;
  }
}
