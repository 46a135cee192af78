import { randomBytes } from "node:crypto";
import { toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { findRegistrar } from "#lib/core/providers/registrars/find-registrar.ts";
import type { Registrar } from "#lib/core/providers/registrars/registrar.ts";
import { openCredential } from "#lib/core/sending/credential/seal-credential.ts";
import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { openSecret, openSecrets, sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { readActiveSecrets } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { toProblemKey } from "#lib/db/registrations/registrations.ts";
import {
  addRegistrationSecret,
  deleteRegistration,
  hasDeliveryOfType,
  type LeasedRegistration,
  leaseRegistrations,
  leaseSeconds,
  storeRegistration,
} from "#lib/db/registrations/work-registrations.ts";
import { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import type { EvaluationOptions } from "../evaluation-parts.ts";
import { defineJob, type Job } from "../job.ts";
import { askOwnUrl } from "./ask-own-url.ts";
import { converse } from "./converse.ts";
import { look } from "./look.ts";
import type { Looked } from "./look-tools.ts";
import { type Next, planNext } from "./plan-next.ts";

export type RegistrationOptions = Pick<EvaluationOptions, "db" | "sealer" | "client"> & {
  readonly publicUrl: string;
  /** Asks our own catch URLs, which `client` doesn't call. */
  readonly ownClient: HttpClient;
  readonly now?: () => number;
};

/** Looked at side by side: most of a look is waiting for the provider. */
const batch = 10;
const maxSecrets = 10;

/**
 * Keeps webhooks registered at their providers. A look takes seconds, so it has a lease instead of a transaction. If
 * its process is killed, another one looks again after the lease, and finds what was made.
 */
export function keepRegistrationsJob(options: RegistrationOptions): Job {
  const { db, now = Date.now } = options;
  const calls = new CredentialCalls(options.client);
  return defineJob<readonly LeasedRegistration[], boolean>({
    kind: "keep_registrations",
    async lock(use) {
      const leased = await leaseRegistrations(db, now(), batch);
      return leased.length > 0 && (await use(leased));
    },
    async workBatch(leased, signal) {
      await Promise.all(leased.map((one) => keep({ ...options, calls, now }, one, signal)));
      return true;
    },
  });
}

type Parts = RegistrationOptions & { readonly calls: CredentialCalls; readonly now: () => number };

async function keep(parts: Parts, one: LeasedRegistration, stopping: AbortSignal): Promise<void> {
  const { now } = parts;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout((leaseSeconds - 30) * 1_000)]);
  try {
    const looked = await lookAt(parts, one, signal);
    // Stopping isn't the provider's failure.
    if (stopping.aborted && looked.kind === "wait") return;
    await store(parts, one, looked, signal);
    if (looked.kind === "kept") await reportMissed(parts, one);
  } catch (error) {
    log.error("registrations.failed", { registrationId: one.id, error: toError(error) });
    const broken = { kind: "wait", reason: brokenReason, waitMs: null } as const;
    // Not while PostgreSQL is away: then the lease ends by itself.
    await storeAlone(parts, one, planNext(one, broken, now())).catch(() => {});
  }
}

const brokenReason = "Catchment couldn't look at this webhook. The server's log has the error.";

async function lookAt(parts: Parts, one: LeasedRegistration, signal: AbortSignal): Promise<Looked> {
  const { sealer, calls, publicUrl, now, ownClient } = parts;
  const registrar = findRegistrar(one.provider);
  if (registrar === null)
    return {
      kind: "end",
      reason: "Catchment can't register hooks of this provider.",
      waitMs: null,
    };
  const line = toLine(parts, one);
  if (line === null) return { kind: "end", reason: noCredential, waitMs: null };
  const toUrl = (key: string) =>
    catchUrl(publicUrl, { accountSlug: one.accountSlug, key, path: null });
  const url = toUrl(one.lastSegment);
  return await look(one, {
    registrar,
    url,
    previousUrls: one.previousSegments.map(toUrl),
    nowMs: now(),
    ask: (talk) => converse({ ...line, registrar, calls, signal }, talk),
    askOwnUrl: () => askOwnUrl(ownClient, url, signal),
    findSecret: () => findSecret(parts.db, one, { sealer, registrar }),
    hasSecret: (secret) => hasSecret(parts.db, one, sealer, secret),
    isRenewalAsked: () => isRenewalAsked(parts.db, one, registrar.renewType),
    newId,
  });
}

const noCredential = "The credential was deleted. Connect again with another one.";

/** Null: the credential was deleted. */
function toLine({ sealer }: Parts, { accountId, credential }: LeasedRegistration) {
  if (credential === null) return null;
  const { id, name, version, origin } = credential;
  const ciphertext = Buffer.from(credential.ciphertext, "base64");
  const auth = openCredential(sealer, { id, accountId, ciphertext });
  return { credential: { id, name, version, origin, auth } };
}

/** The hook's newest secret. A hook without any gets one before the provider does, so that nothing is rejected. */
async function findSecret(
  db: SqlDatabase,
  { hookId, accountId }: LeasedRegistration,
  { sealer, registrar: { makeSecret } }: Pick<Parts, "sealer"> & { readonly registrar: Registrar },
) {
  const [newest] = await readActiveSecrets(db, { id: hookId, accountId });
  if (newest !== undefined) {
    const secret = openSecret(accountId, newest, sealer);
    return secret === null
      ? "This server's key can't open the hook's secret. Add another one."
      : { id: newest.id, secret };
  }
  const random = randomBytes(32).toString("base64url");
  const secret = makeSecret?.(random) ?? random;
  const sealed = sealHookSecret(sealer, { id: newId(), accountId }, secret);
  const isAdded = await db.$transaction((tx) =>
    addRegistrationSecret(tx, hookId, sealed, maxSecrets),
  );
  return isAdded ? { id: sealed.id, secret } : tooManySecrets;
}

async function hasSecret(
  db: SqlDatabase,
  { hookId, accountId }: LeasedRegistration,
  sealer: Parts["sealer"],
  secret: string,
): Promise<boolean> {
  const sealed = await readActiveSecrets(db, { id: hookId, accountId });
  return openSecrets(accountId, sealed, sealer).includes(secret);
}

/** What a provider left out and doesn't list is a problem until a person has looked for it there. */
async function reportMissed({ db, now }: Parts, one: LeasedRegistration): Promise<void> {
  const { accountId, hookId, checkedAtMs, provider } = one;
  const registrar = findRegistrar(provider);
  if (registrar?.missedType === undefined || checkedAtMs === null) return;
  if (!(await hasDeliveryOfType(db, hookId, registrar.missedType, checkedAtMs))) return;
  const message =
    `${registrar.name} says that it left out notifications, and doesn't list which. Read what has changed there ` +
    "since the last notification before it, such as with a delta query. Then resolve this problem.";
  const details = { kind: "missing_events", missing: null, message } as const;
  const problem = { accountId, hookId, key: `missed:${hookId}`, kind: details.kind, details };
  await db.$transaction((tx) => openProblem(tx, { ...problem, at: new Date(now()) }));
}

async function isRenewalAsked(
  db: SqlDatabase,
  { hookId, checkedAtMs }: LeasedRegistration,
  renewType: string | null,
): Promise<boolean> {
  if (renewType === null || checkedAtMs === null) return false;
  return await hasDeliveryOfType(db, hookId, renewType, checkedAtMs);
}

const tooManySecrets = `This hook has ${maxSecrets} secrets. Remove one, and connect again.`;

/**
 * Stores what was found and done. A secret that the provider says only once is stored together with its id. If that
 * fails, the webhook is removed again: no one would know its secret.
 */
async function store(
  parts: Parts,
  one: LeasedRegistration,
  looked: Looked,
  signal: AbortSignal,
): Promise<void> {
  const next = planNext(one, looked, parts.now());
  if (looked.kind !== "kept" || looked.newSecret === null)
    return void (await storeAlone(parts, one, next));
  const isStored = await storeWithSecret(parts, one, looked.newSecret, next).catch(
    (error: unknown) => toError(error),
  );
  if (isStored === true) return;
  if (looked.isMade) await removeAgain(parts, one, looked, signal);
  if (isStored instanceof Error) throw isStored;
}

async function storeWithSecret(
  parts: Parts,
  one: LeasedRegistration,
  secret: string,
  next: Next,
): Promise<boolean> {
  const { db, sealer, now } = parts;
  const { accountId, hookId } = one;
  const sealed = sealHookSecret(sealer, { id: newId(), accountId }, secret);
  const outcome = await db
    .$transaction(async (tx) => {
      if (!(await addRegistrationSecret(tx, hookId, sealed, maxSecrets))) return "full";
      if (!(await storeState(tx, one, next, now()))) throw new LeaseLost();
      return "stored";
    })
    .catch((error: unknown) => {
      if (error instanceof LeaseLost) return "lost";
      throw error;
    });
  if (outcome === "full") {
    const full = planNext(one, { kind: "failing", reason: tooManySecrets }, now());
    await storeAlone(parts, one, full);
  }
  return outcome === "stored";
}

/** Takes back what its transaction has written. */
class LeaseLost extends Error {}

async function removeAgain(
  parts: Parts,
  one: LeasedRegistration,
  { providerId, url, appliedTypes }: Extract<Looked, { kind: "kept" }>,
  signal: AbortSignal,
): Promise<void> {
  const registrar = findRegistrar(one.provider);
  const line = toLine(parts, one);
  if (registrar === null || line === null) return;
  const made = { id: providerId, url, eventTypes: appliedTypes, mark: one.id };
  const found = { ...made, isEnabled: true, whyDisabled: null, expiresAtMs: null };
  const { calls } = parts;
  const talk = registrar.remove({ resource: one.resource }, found);
  await converse({ ...line, registrar, calls, signal }, talk);
}

/** The state and its problem are one transaction. */
function storeAlone({ db, now }: Parts, one: LeasedRegistration, next: Next): Promise<boolean> {
  return db.$transaction((tx) => storeState(tx, one, next, now()));
}

type Statements = Parameters<typeof storeRegistration>[0];

/** @returns false if another process has it by now */
async function storeState(
  db: Statements,
  one: LeasedRegistration,
  next: Next,
  nowMs: number,
): Promise<boolean> {
  const { accountId, hookId, provider } = one;
  const key = toProblemKey(hookId);
  if (next === "gone") {
    await deleteRegistration(db, one);
    await resolveProblem(db, accountId, key);
    return true;
  }
  if (!(await storeRegistration(db, one, next))) return false;
  const { reason } = next;
  const isProblem = next.status === "missing" || next.status === "failing";
  const wasProblem = one.status === "missing" || one.status === "failing";
  if (!isProblem || reason === null) {
    if (one.status !== "registered") await resolveProblem(db, accountId, key);
  } else if (!wasProblem || reason !== one.reason) {
    const name = findRegistrar(provider)?.name ?? provider;
    const details = { kind: "registration", provider: name, message: reason } as const;
    await openProblem(db, {
      ...{ accountId, kind: "registration", key, hookId, at: new Date(nowMs), details },
    });
  }
  return true;
}
