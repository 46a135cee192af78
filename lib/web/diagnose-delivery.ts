import { setImmediate } from "node:timers/promises";
import { toDistinctHeaders } from "#lib/core/delivery-context.ts";
import { diagnoseStepwise } from "#lib/core/diagnose/diagnose.ts";
import type { Diagnosis } from "#lib/core/diagnose/diagnosis.ts";
import type { Patient } from "#lib/core/diagnose/patient.ts";
import { bounds } from "#lib/core/diagnose/trial.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { type DeliveryRecord, getDelivery } from "#lib/db/deliveries.ts";
import { type DiagnosisFacts, readDiagnosisFacts } from "#lib/db/diagnosis-facts.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { readScheme, readSettings } from "#lib/db/hook-rules.ts";
import { getHook } from "#lib/db/hooks.ts";
import { AppError } from "#lib/errors.ts";
import { catchUrl } from "./catch-url.ts";
import type { ServerContext } from "./server-context.ts";

export type Diagnosed = {
  readonly diagnosis: Diagnosis;
  readonly hook: HookRecord;
  readonly facts: DiagnosisFacts;
};

/**
 * Why a delivery was refused. One is worked on at a time, in slices, so that pages and the API go on meanwhile.
 * Throws `not_found`, and `rate_limited` where too many are asked for at once.
 */
export async function diagnoseDelivery(
  context: ServerContext,
  accountId: string,
  deliveryId: string,
): Promise<Diagnosed> {
  return await queue.run(accountId, async () => {
    const delivery = await getDelivery(context.db, accountId, deliveryId);
    const hook = await getHook(context.db, accountId, delivery.hookId);
    const facts = await readDiagnosisFacts(context.db, accountId, delivery, {
      sealer: context.sealer,
      mostHooks: bounds.otherHooks,
      mostSecrets: bounds.secrets,
    });
    const patient = toPatient(context.env.publicUrl, delivery, hook, facts);
    return { diagnosis: await diagnoseInSlices(patient), hook, facts };
  });
}

const sliceMs = 10;

async function diagnoseInSlices(patient: Patient): Promise<Diagnosis> {
  const steps = diagnoseStepwise(patient);
  let startedAt = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - startedAt < sliceMs) continue;
    await setImmediate();
    startedAt = performance.now();
  }
}

function toPatient(
  publicUrl: string,
  delivery: DeliveryRecord,
  hook: HookRecord,
  { secrets, otherHooks, wereOthersVerified }: DiagnosisFacts,
): Patient {
  const { method, path, query, body, receivedAt, status, reason } = delivery;
  const pairs = JSON.parse(delivery.headersJson) as readonly (readonly [string, string])[];
  const url = `${catchUrl(publicUrl, hook)}${path}${query === "" ? "" : `?${query}`}`;
  const nowMs = Date.now();
  const current = secrets.find(({ expiresAt }) => expiresAt === null);
  return {
    request: { method, url, headers: toDistinctHeaders(pairs), body, query },
    receivedAtMs: receivedAt.getTime(),
    wasRefused: status === "rejected",
    reason,
    hook: {
      provider: hook.provider,
      scheme: findScheme(hook),
      settings: readSettings(hook.verification),
      methods: hook.methods,
    },
    secrets: secrets.map(({ id, text, expiresAt }) => ({
      id,
      text,
      expiredAtMs: expiresAt !== null && expiresAt.getTime() <= nowMs ? expiresAt.getTime() : null,
      isCurrent: id === current?.id,
    })),
    otherHooks,
    wereOthersVerified,
  };
}

function findScheme({ provider, verification }: HookRecord): unknown {
  return provider === "custom" ? readScheme(verification) : (findProvider(provider)?.scheme ?? null);
}

/** First come, first served, one at a time; an account can't fill the queue. */
class DiagnosisQueue {
  readonly #waitingOf = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async run<Value>(accountId: string, work: () => Promise<Value>): Promise<Value> {
    const ofAccount = this.#waitingOf.get(accountId) ?? 0;
    if (ofAccount >= mostOfAccount || this.#waiting >= mostWaiting) {
      const detail = "Several deliveries are being looked at already. Try again in a few seconds.";
      throw new AppError("rate_limited", detail, { headers: { "retry-after": "5" } });
    }
    this.#waiting += 1;
    this.#waitingOf.set(accountId, ofAccount + 1);
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      this.#leave(accountId);
    }
  }

  #leave(accountId: string): void {
    const left = (this.#waitingOf.get(accountId) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(accountId);
    else this.#waitingOf.set(accountId, left);
  }
}

const mostOfAccount = 4;
const mostWaiting = 20;
const queue = new DiagnosisQueue();
