import { AppError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { describeCutBody } from "#lib/core/mapping/payload/describe-cut-body.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import { limits } from "#lib/core/verify/diagnose/verification-budget.ts";
import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { readScheme, readSettings } from "#lib/core/verify/hook/hook-rules.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import { type DeliveryRecord, getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { type ExpiringSecret, readDiagnosisRows } from "#lib/db/deliveries/diagnosis-facts.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { byId } from "#lib/schema/field/common.ts";
import { hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import { requireUnmasked } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { type SentDiagnosisInput, toSentInput } from "#lib/threads/diagnose-task.ts";

export type Diagnosed = {
  readonly diagnosis: Diagnosis;
  readonly hook: HookRecord;
  readonly facts: DiagnosisFacts;
};

/** Explains why a delivery was rejected. Changes nothing. Throws what `runDiagnosis` does. */
export const diagnoseDelivery = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }) => {
    const { diagnosis, hook } = await runDiagnosis(context, id);
    return { diagnosis, hookId: hook.id };
  },
});

/**
 * Diagnoses one delivery at a time, in a thread, so that pages and the API stay responsive. Throws
 * `not_found`, and `rate_limited` if too many are requested at once.
 */
export async function runDiagnosis(
  context: ServiceContext,
  deliveryId: string,
): Promise<Diagnosed> {
  requireUnmasked(context.actor);
  const { accountId } = context.actor;
  return await queue.run(accountId, async () => {
    const delivery = await getDelivery(context.db, accountId, deliveryId);
    const hook = await getHook(context.db, accountId, delivery.hookId);
    const facts = await readDiagnosisFacts(context, accountId, delivery);
    const cut = describeCutBody(delivery.storedSize, delivery.bodySize);
    if (cut !== null) return { diagnosis: notCheckable(cut, delivery), hook, facts };
    const input = toDiagnosisInput(context.env.publicUrl, delivery, hook, facts);
    return { diagnosis: await diagnoseInThread(accountId, input), hook, facts };
  });
}

/** Most deliveries take well under a second. The diagnosis limits allow about three for 10 MiB. */
const limitMs = 5_000;

async function diagnoseInThread(accountId: string, input: SentDiagnosisInput): Promise<Diagnosis> {
  const options = { accountId, limitsMs: { run: limitMs } };
  const outcome = await webThreads().run("diagnose", toSentInput(input), options);
  return outcome.kind === "done" ? outcome.value : stopped;
}

/** A finding about a signature over the body would be about other bytes than those received. */
function notCheckable(cut: string, { detail }: DeliveryRecord): Diagnosis {
  const then = detail === null ? "" : ` When it arrived, the result was: ${detail}`;
  return {
    verdict: "unexplained",
    findings: [],
    tried: 0,
    isComplete: false,
    triedWhat: null,
    next:
      `This delivery can't be verified again, because ${cut}.${then} Send a ` +
      "smaller delivery from the provider and diagnose that one.",
  };
}

const stopped: Diagnosis = {
  verdict: "unexplained",
  findings: [],
  tried: 0,
  isComplete: false,
  triedWhat: null,
  next:
    `The diagnosis took longer than ${limitMs / 1_000} s and was stopped. Send ` +
    "a smaller delivery from the provider and diagnose that one.",
};

function toDiagnosisInput(
  publicUrl: string,
  delivery: DeliveryRecord,
  hook: HookRecord,
  { secrets, otherHooks, wereOthersVerified }: DiagnosisFacts,
): SentDiagnosisInput {
  const { method, path, query, body, receivedAt, status, reason } = delivery;
  const pairs = JSON.parse(delivery.headersJson) as readonly (readonly [string, string])[];
  const url = `${catchUrl(publicUrl, hook)}${path}${query === "" ? "" : `?${query}`}`;
  const nowMs = Date.now();
  const current = secrets.find(({ expiresAt }) => expiresAt === null);
  return {
    request: { method, url, headers: toDistinctHeaders(pairs), body, query },
    receivedAtMs: receivedAt.getTime(),
    wasRejected: status === "rejected",
    reason,
    hook: {
      provider: hook.provider,
      scheme: findScheme(hook),
      settings: readSettings(hook.verification),
      toleranceSeconds: hook.toleranceSeconds,
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
  return provider === "custom"
    ? readScheme(verification)
    : (findProvider(provider)?.scheme ?? null);
}

/** Serves one request at a time, in order of arrival. One account can't fill the queue. */
class DiagnosisQueue {
  readonly #waitingOf = new KeyCounts();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async run<Value>(accountId: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#waiting >= maxWaiting || !this.#waitingOf.add(accountId, maxOfAccount)) {
      const detail = "Several deliveries are already being diagnosed. Try again in a few seconds.";
      throw new AppError("rate_limited", detail, { headers: { "retry-after": "5" } });
    }
    this.#waiting += 1;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      this.#waitingOf.remove(accountId);
    }
  }
}

const maxOfAccount = 4;
const maxWaiting = 20;
const queue = new DiagnosisQueue();

/**
 * The facts that a diagnosis needs besides the delivery. Secrets are in plain text and are only
 * used for comparisons.
 */
type DiagnosisFacts = {
  readonly secrets: readonly OpenSecret[];
  readonly otherHooks: readonly HookWithSecrets[];
  readonly wereOthersVerified: boolean;
};

type OpenSecret = {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: Date | null;
};

type HookWithSecrets = {
  readonly name: string;
  readonly provider: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

async function readDiagnosisFacts(
  { db, sealer }: Pick<ServiceParts, "db" | "sealer">,
  accountId: string,
  delivery: DeliveryRecord,
): Promise<DiagnosisFacts> {
  const { secrets, otherHooks, wereOthersVerified } = await readDiagnosisRows(
    db,
    accountId,
    delivery,
    { maxHooks: limits.maxOtherHooks, maxSecrets: limits.maxSecrets },
  );
  // A secret that can't be opened doesn't count on the catch path either.
  const open = (secret: ExpiringSecret): readonly OpenSecret[] => {
    const text = openSecret(accountId, secret, sealer);
    return text === null ? [] : [{ id: secret.id, text, expiresAt: secret.expiresAt }];
  };
  return {
    secrets: secrets.flatMap(open),
    otherHooks: otherHooks.map(({ name, provider, verification, secrets: others }) => ({
      name,
      provider,
      ...readVerification(provider, verification),
      secrets: others.flatMap(open).map(({ text }) => text),
    })),
    wereOthersVerified,
  };
}

/** A scheme stored by another version that this one can't read is skipped. */
function readVerification(
  provider: string,
  stored: unknown,
): Pick<HookWithSecrets, "scheme" | "settings"> {
  const parsed = hookVerificationSchema.nullable().safeParse(stored);
  const verification = parsed.success ? parsed.data : null;
  const scheme =
    provider === "custom" ? readScheme(verification) : (findProvider(provider)?.scheme ?? null);
  return { scheme, settings: readSettings(verification) };
}
