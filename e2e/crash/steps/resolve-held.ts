import { setTimeout as delay } from "node:timers/promises";
import { type ApiAccess, postToApi } from "#e2e/harness/post-to-api.ts";
import type { StepReceiver } from "../testing/step-receiver.ts";
import type { HeldStep, LedgerReader } from "./read-ledger.ts";

export type Resolved = HeldStep & { readonly as: "succeeded" | "repeat" };

export type Quarantined = { readonly runId: string; readonly afterKills: number };

type Resolver = {
  readonly resolved: readonly Resolved[];
  readonly retried: readonly Quarantined[];
  stop(): Promise<void>;
};

type ResolverOptions = {
  readonly access: ApiAccess;
  readonly ledger: LedgerReader;
  readonly receiver: StepReceiver;
  readonly countKills: () => number;
  /** Whether what fails is tried again. Omitted: it is an error. */
  readonly isRepeated?: boolean;
};

/**
 * Asks the receiver what happened to each call that a run is held for, as a person would, and
 * resolves it through the API. Retries runs that three workers died with.
 */
export function resolveHeld({
  access,
  ledger,
  receiver,
  countKills,
  isRepeated = false,
}: ResolverOptions): Resolver {
  const resolved: Resolved[] = [];
  const retried: Quarantined[] = [];
  const stopping = new AbortController();
  async function retryOne(runId: string): Promise<void> {
    const afterKills = countKills();
    const path = `/api/v1/runs/${runId}/retry`;
    const response = await postToApi(access, path, {});
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    retried.push({ runId, afterKills });
  }
  async function resolveOne(held: HeldStep): Promise<void> {
    const as = receiver.hasDone(held.key) ? "succeeded" : "repeat";
    const path = `/api/v1/runs/${held.runId}/resolve`;
    const response = await postToApi(access, path, { step: held.step, as });
    if (response.ok) resolved.push({ ...held, as });
    // A worker still has the run, or had it when it was killed.
    else if (response.status !== 409)
      throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  }
  async function resolveAll(): Promise<void> {
    for (const held of await ledger.readHeld()) await resolveOne(held);
    for (const runId of await ledger.readQuarantined()) await retryOne(runId);
  }
  const resolving = (async () => {
    while (!stopping.signal.aborted) {
      await resolveAll().catch((error: unknown) => {
        if (!isRepeated) throw error;
      });
      await delay(100);
    }
  })();
  // `stop` throws this error.
  resolving.catch(() => {});
  return {
    resolved,
    retried,
    stop: async () => {
      stopping.abort();
      await resolving;
    },
  };
}
