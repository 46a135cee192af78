import { readDeliveryContext } from "#lib/core/mapping/build-request/delivery-context.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import type { BacktestResult } from "#lib/db/backtests/backtest-results.ts";
import {
  type LeasedBacktest,
  readBacktestBatch,
  readRealRuns,
} from "#lib/db/backtests/work-backtests.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { loadDeliveries, type RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { mapOptions } from "#lib/schema/act/action-options.ts";
import type { BacktestResponse } from "#lib/schema/act/backtest.ts";
import { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WorkTasks } from "#lib/worker/action/execute-options.ts";
import { readActionConfig } from "#lib/worker/config/action-config.ts";
import { evaluateDelivery, type Versions } from "./evaluate-delivery.ts";

export type BacktestOptions = {
  readonly db: SqlDatabase;
  readonly sealer: Sealer;
  readonly allowList: AllowList;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

type ReadBacktest = {
  readonly versions: Versions;
  readonly responses: Readonly<Record<string, BacktestResponse>>;
};

export type BacktestBatch = {
  readonly results: readonly BacktestResult[];
  /** The delivery at which the batch ended. */
  readonly seenBefore: string;
  readonly isAtEnd: boolean;
};

const batchRows = 100;
/** The maximum bytes of bodies that a batch has in memory. A single delivery may be larger. */
const batchBytes = 4 * 1024 * 1024;
/** A batch ends after this time, and the next one continues. */
const batchMs = 400;
/** The time limit of a delivery. A list with many items may need long. */
const deliveryMs = 10_000;
/** The maximum size of all details of a backtest. Beyond it, differences are not kept. */
const maxStoredChars = 64 * 1024 * 1024;

/**
 * Works on backtests. A draft is computed in a separate thread, so runs and their thread don't wait
 * for it.
 */
export class Backtests {
  readonly #options: BacktestOptions;
  readonly #threads = new ThreadPool<WorkTasks>({
    script: new URL("../../worker/worker-thread.ts", import.meta.url),
    maxThreads: 1,
  });
  readonly #checkThreads = new CheckThreads();
  /** Checks the events that steps publish. Nothing notifies it, so it reads schemas again after a second. */
  readonly #catalog: EventCatalog;

  constructor(options: BacktestOptions) {
    this.#options = options;
    const { run: runChecks } = this.#checkThreads;
    this.#catalog = new EventCatalog({ db: options.db, runChecks, now: Date.now });
  }

  /** Evaluates the next deliveries of a backtest, until the time of a batch is over. */
  async evaluateBatch(backtest: LeasedBacktest): Promise<BacktestBatch> {
    const { db } = this.#options;
    const next = await readBacktestBatch(db, backtest, batchRows);
    const ids = takeBytes(next).map(({ id }) => id);
    const [deliveries, real] = await Promise.all([
      loadDeliveries(db, ids),
      usesResponses(backtest) ? readRealRuns(db, backtest, ids) : new Map(),
    ]);
    const endsAt = performance.now() + batchMs;
    const versions = this.#readVersions(backtest);
    const results: BacktestResult[] = [];
    let seenBefore = backtest.seenBefore;
    for (const id of ids) {
      const delivery = deliveries.get(id);
      seenBefore = id;
      if (delivery !== undefined)
        results.push(await this.#evaluate(backtest, versions, delivery, real.get(id)));
      if (performance.now() > endsAt) break;
    }
    const isAtEnd = seenBefore === (next.at(-1)?.id ?? seenBefore) && next.length < batchRows;
    const isFull = backtest.storedChars > maxStoredChars;
    const stored = isFull ? results.map(withoutDetails) : results;
    return { results: stored, seenBefore, isAtEnd };
  }

  /** Ends its threads. */
  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.#checkThreads.close()]);
  }

  async #evaluate(
    backtest: LeasedBacktest,
    { versions, responses }: ReadBacktest,
    delivery: RunDelivery,
    real: Parameters<typeof evaluateDelivery>[0]["real"],
  ): Promise<BacktestResult> {
    const { allowList, version } = this.#options;
    const view = { ...delivery, headers: JSON.parse(delivery.headersJson) };
    const context = {
      runId: real?.id ?? delivery.id,
      threads: this.#threads,
      target: toTarget(backtest, backtest.draftJson, null, backtest.id),
      delivery: { view, readContext: readDeliveryContext },
      version,
      // The clock shows the time of arrival, so that both versions see the same time.
      backtest: { nowMs: delivery.receivedAtMs },
    };
    const endsAt = performance.now() + deliveryMs;
    const checkEvents = this.#catalog.check;
    const input = { context, allowList, checkEvents, real, givenResponses: responses, endsAt };
    return await evaluateDelivery(input, versions);
  }

  #readVersions(backtest: LeasedBacktest): ReadBacktest {
    const { id, actionId, draftJson, draftAuth, currentJson, currentAuth, responsesJson } =
      backtest;
    const { sealer } = this.#options;
    const sealedFor = actionId ?? id;
    const read = (json: string, auth: Uint8Array | null) =>
      readActionConfig(toTarget(backtest, json, auth, sealedFor), sealer);
    const draft = read(draftJson, draftAuth);
    const current = currentJson === null ? null : read(currentJson, currentAuth);
    const responses = readJson(responsesJson ?? "{}") as Record<string, BacktestResponse>;
    return { versions: { draft, current }, responses };
  }
}

/** True if a step may use the response of another. */
function usesResponses({ draftJson, currentJson }: LeasedBacktest): boolean {
  return [draftJson, currentJson].some((json) => json !== null && !json.includes('"steps":null'));
}

/** The first items that fit into memory, at least one regardless of its size. */
function takeBytes<Item extends { readonly bodySize: number }>(
  items: readonly Item[],
): readonly Item[] {
  let bytes = 0;
  const end = items.findIndex(({ bodySize }, index) => {
    bytes += bodySize;
    return index > 0 && bytes > batchBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

function withoutDetails(result: BacktestResult): BacktestResult {
  const { requests, moreRequests, ...details } = result.details;
  const count = moreRequests + requests.length;
  return { ...result, details: { ...details, requests: [], moreRequests: count } };
}

/** The draft as a saved action, so that the same code reads it and builds its requests. */
function toTarget(
  { accountId, hook }: LeasedBacktest,
  json: string,
  authCiphertext: Uint8Array | null,
  targetId: string,
): RunTarget {
  const { filter, request, steps } = readJson(json) as Record<string, unknown>;
  return {
    targetId,
    accountId,
    hook,
    filterJson: write(filter),
    requestJson: write(request),
    stepsJson: write(steps),
    retryJson: null,
    successJson: null,
    orderBy: null,
    replyJson: null,
    actionVersion: 0,
    authCiphertext,
    savedJson: undefined,
    options: mapOptions((_name, option) => option.default) as RunTarget["options"],
    version: "",
  };
}

function write(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const written = stringifyExactJson(value);
  if (!written.ok) throw new Error(`A draft can't be written: ${written.message}`);
  return written.text;
}

function readJson(json: string): unknown {
  const parsed = parseExactJson(json, maxDepth);
  if (!parsed.ok) throw new Error(`A draft can't be read: ${parsed.message}`);
  return parsed.value;
}

/** The maximum depth of an action, the same as that of a body made of it. */
const maxDepth = 256;
