import pLimit, { type LimitFunction } from "p-limit";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { PublishedEvent } from "#lib/core/sending/read-published-event.ts";
import {
  type EventCheck,
  type Finding,
  type Mismatch,
  unknownVersion,
} from "#lib/core/sending/schema-finding.ts";
import { findPublishSchemas, type PublishSchema } from "#lib/db/event-types/publish-schemas.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { BatchLoader } from "#lib/ingress/batch-loader.ts";
import { NotifiedCache } from "#lib/ingress/notified-cache.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { isBusy, type ThreadOutcome } from "#lib/threads/thread-outcome.ts";
import type { RunOptions } from "#lib/threads/thread-pool.ts";
import type { DataCheck } from "./check-data.ts";

type AccountSchemas = {
  readonly accountId: string;
  /** The versions of each type. */
  readonly byType: ReadonlyMap<string, readonly PublishSchema[]>;
};

/** Runs `checkData` in a thread. */
export type RunChecks = (
  check: DataCheck,
  options: RunOptions,
) => Promise<ThreadOutcome<readonly (Mismatch | null)[]>>;

type EventCatalogOptions = {
  readonly db: SqlStatements;
  readonly runChecks: RunChecks;
  readonly now: () => number;
};

/** The time limit for one schema, which a thread compiles once. */
const compileLimitMs = 2_000;
const checkLimitMs = 250;
const maxWaitMs = 1_000;
/**
 * The time limit of a check, counted from the request for it: every request gets its response
 * within 5 s.
 */
const maxCheckMs = 3_000;
/** The maximum number of waiting checks of one account. */
const maxWaiting = 1_000;
/** The time for which a schema that was too slow isn't tried again. */
export const slowForMs = 60_000;

/**
 * Checks the data of events against the schemas of their types, in threads that can be stopped: a
 * pattern of one account's schema may take forever. An account has one check at a time, so that it
 * blocks at most one thread. A schema that was too slow isn't tried again for a while; the
 * account's other schemas still work.
 */
export class EventCatalog {
  readonly #cache: NotifiedCache<AccountSchemas>;
  readonly #options: EventCatalogOptions;
  /** The time until which a schema isn't tried, by account and by the schema's text. */
  readonly #slow = new Map<string, Map<string, number>>();
  /** The limits, by account. */
  readonly #limits = new Map<string, LimitFunction>();

  constructor(options: EventCatalogOptions) {
    this.#options = options;
    const { db, now } = options;
    const loader = new BatchLoader<string, AccountSchemas, AccountSchemas>({
      keyOf: (accountId) => accountId,
      find: async (accountIds) => {
        const found = await findPublishSchemas(db, accountIds);
        return accountIds.map((accountId, index) => ({
          accountId,
          byType: Map.groupBy(found[index] ?? [], ({ type }) => type),
        }));
      },
      prepare: (schemas) => schemas,
      timeoutMs: 2_000,
      spacingMs: 5,
      maxBatch: 500,
      maxWaiting: 5_000,
    });
    this.#cache = new NotifiedCache<AccountSchemas>({
      load: (accountId) => loader.load(accountId),
      validUntilMs: () => Number.POSITIVE_INFINITY,
      now,
    });
  }

  /**
   * Returns one entry per event, in order. An empty list: no type has a schema or versions. "busy":
   * too many checks are waiting, and a schema that is required is among them. Throws if the database
   * is unavailable.
   */
  readonly check = async (
    accountId: string,
    events: readonly CheckedEvent[],
  ): Promise<readonly EventCheck[] | "busy"> => {
    const schemas = this.#cache.peek(accountId) ?? (await this.#cache.load(accountId));
    const chosen = events.map((event) => chooseVersion(schemas?.byType.get(event.type), event));
    if (chosen.every((choice) => choice === null)) return [];
    const checks = events.flatMap(({ dataJson }, index) => {
      const choice = chosen[index] ?? null;
      if (choice === null || "finding" in choice || choice.schema === null) return [];
      const { schema, isRequired } = choice;
      return [{ schema, isRequired, dataJson, index }];
    });
    const findings = chosen.map(
      (choice): Finding => (choice !== null && "finding" in choice ? choice.finding : null),
    );
    const bySchema = [...Map.groupBy(checks, ({ schema }) => schema)];
    const checked = await this.#checkInOrder(
      accountId,
      bySchema.map(([schema, members]) => ({
        schema,
        dataJsons: members.map(({ dataJson }) => dataJson),
      })),
    );
    for (const [place, [, members]] of bySchema.entries()) {
      const mismatches = checked === tooBusy ? tooBusy : (checked[place] ?? tooBusy);
      if (mismatches === tooBusy && members.some(({ isRequired }) => isRequired)) return "busy";
      for (const [at, { index, isRequired }] of members.entries()) {
        const mismatch = typeof mismatches === "string" ? unchecked(mismatches) : mismatches[at];
        findings[index] = mismatch ? { ...mismatch, isRequired } : null;
      }
    }
    return chosen.map((choice, index) => ({
      finding: findings[index] ?? null,
      version: choice !== null && "version" in choice ? choice.version : null,
    }));
  };

  forget(accountId: string): void {
    this.#slow.delete(accountId);
    this.#cache.forget((schemas) => schemas.accountId === accountId);
  }

  setListening(isListening: boolean): void {
    this.#cache.setListening(isListening);
  }

  /** Returns one result per check, in order. */
  async #checkInOrder(
    accountId: string,
    checks: readonly DataCheck[],
  ): Promise<readonly Checked[] | typeof tooBusy> {
    if (checks.length === 0) return [];
    const limit = this.#limits.get(accountId) ?? pLimit(1);
    this.#limits.set(accountId, limit);
    if (limit.pendingCount >= maxWaiting) return tooBusy;
    let isLate = false;
    const run = limit(async () => {
      const results: Checked[] = [];
      for (const check of checks)
        results.push(isLate ? tooBusy : await this.#run(accountId, check));
      return results;
    });
    return await withTimeLimit(run, maxCheckMs, () => {
      isLate = true;
      return tooBusy;
    });
  }

  async #run(accountId: string, check: DataCheck): Promise<Checked> {
    const { runChecks, now } = this.#options;
    const slow = this.#slow.get(accountId);
    if ((slow?.get(check.schema) ?? 0) > now()) return tooSlow;
    const limitsMs = { run: compileLimitMs, check: checkLimitMs + check.dataJsons.length };
    const outcome = await runChecks(check, { accountId, limitsMs, maxWaitMs });
    if (outcome.kind === "done") return outcome.value;
    if (isBusy(outcome)) return tooBusy;
    if (this.#slow.size > 10_000) this.#slow.clear();
    this.#slow.set(accountId, new Map(slow).set(check.schema, now() + slowForMs));
    return tooSlow;
  }
}

type CheckedEvent = Pick<PublishedEvent, "type" | "dataJson"> & {
  /** The version that its publisher named. Null: the newest. */
  readonly version?: string | null;
};

/** The version of an event's data. Null: its type has neither a schema nor versions. */
function chooseVersion(
  versions: readonly PublishSchema[] | undefined,
  { version = null }: CheckedEvent,
): PublishSchema | { readonly finding: Finding } | null {
  if (versions === undefined && (version === null || version === firstVersion)) return null;
  const found = versions?.find((each) =>
    version === null ? each.isNewest : each.version === version,
  );
  return found ?? { finding: unknownVersion };
}

/** The result of the checks. A string: the reason nothing could be checked. */
type Checked = readonly (Mismatch | null)[] | string;

const tooBusy = "was not checked, because too many checks were waiting";
const tooSlow =
  "can't be checked, because the schema of this event type takes too long. Simplify its patterns";

function unchecked(message: string): Mismatch {
  return { kind: "unchecked", path: "data", message };
}
