import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { toFilterInput } from "#lib/core/sending/filter-input.ts";
import { portalBlockedMessage } from "#lib/core/sending/portal-blocked-message.ts";
import { readEventBusFault } from "#lib/core/sending/receivers/to-event-bus-request.ts";
import { skippedByTransform } from "#lib/core/sending/transformed-body.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import type { ClaimedSend } from "#lib/db/queue/claimed-run.ts";
import type { RunEvent, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import { takeQuota } from "#lib/db/recipients/quotas.ts";
import type { Brokers } from "#lib/net/brokers/create-brokers.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import {
  type Pinned,
  toPinnedVersion,
  type VersionParts,
} from "#lib/threads/transform/to-pinned-version.ts";
import { describeFault, transformBody } from "#lib/threads/transform/transform-event.ts";
import type { TransformTasks } from "#lib/threads/transform/transform-task.ts";
import { makeCall } from "../action/make-call.ts";
import type { SendConfig, SendConfigs } from "../config/send-config.ts";
import {
  delayRun,
  type Executed,
  endRun,
  failBeforeCall,
  toOutcome,
  tryLater,
} from "../outcome/run-outcome.ts";
import { purposeOf } from "../outcome/worker-signals.ts";
import { publishEvent } from "./publish-event.ts";
import { type BrokerAddress, type SendParts, toSendRequest } from "./to-send-request.ts";

export type SendOptions = {
  readonly client: HttpClient;
  /** Publishes to brokers. */
  readonly brokers: Brokers;
  /** Calls receivers that were entered in the portal. It may call other networks. */
  readonly portalClient: HttpClient;
  readonly credentialCalls: CredentialCalls;
  readonly portalCredentialCalls: CredentialCalls;
  readonly sendConfigs: SendConfigs;
  /** Threads for filters over large events, and for transforms. */
  readonly threads: Threads<PrepareTasks & TransformTasks>;
  readonly findVersions: VersionParts["findVersions"];
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** Cancels calls in flight when the worker has to stop. */
  readonly signal: AbortSignal;
  /** A number in [0, 1), uniformly distributed, which spreads retries. */
  readonly random: () => number;
  readonly db: SqlDatabase;
};

type SendInput = {
  readonly run: ClaimedSend;
  /** The subscription. Undefined: it was deleted after the run was queued. */
  readonly target: SendTarget | undefined;
  readonly event: RunEvent | undefined;
  /** The subscription is a callback that has expired, or whose token has ended. */
  readonly isEnded?: boolean;
};

/**
 * Makes one attempt to send an event to a subscription: filter, transform, signature, call, and next
 * state.
 * Never rejects because of an event, a subscription, or a receiver.
 *
 * @returns `released` if the database can't say whether the quota allows it, or what the versions are
 */
export async function executeSend(
  input: SendInput,
  options: SendOptions,
): Promise<Executed | "released"> {
  const { run, target, isEnded = false } = input;
  if (target === undefined)
    return endRun(run, "cancelled", "subscription_gone", "The subscription was deleted.");
  if (isEnded)
    return endRun(run, "cancelled", "subscription_gone", "The callback has expired, or its token.");
  if (input.event === undefined)
    return endRun(run, "failed", "event_gone", "The event is no longer stored.");
  const read = options.sendConfigs.read(target);
  if (!read.ok) return failBeforeCall(run, read.code, read.message, []);
  const { config } = read;
  const nowMs = Date.now();
  const pinned = await pinVersion(input.event, target, options);
  if (pinned === "released") return pinned;
  if (!pinned.ok)
    return {
      finished: tryLater(run, "version_failed", pinned.message, options.random()),
      result: null,
    };
  const mismatch = await findMismatch(target, config, pinned.event, options.threads, nowMs);
  if (mismatch !== null && "failed" in mismatch)
    return failBeforeCall(run, mismatch.failed, mismatch.because, config.secretValues);
  if (mismatch !== null) return endRun(run, "skipped", "filter_not_matched", mismatch.because);
  const keys = config.keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  if (keys.length === 0) {
    const message = "The subscription has no active secret. Rotate its secret.";
    return failBeforeCall(run, "secret_missing", message, config.secretValues);
  }
  const made = await makeBody(run, target, pinned.event, options);
  if ("finished" in made) return made;
  const parts = { event: made, config, target, nowMs, version: options.version };
  const built = toSendRequest(run, parts, keys);
  if (!built.ok) return failBeforeCall(run, "invalid_request", built.message, config.secretValues);
  const held = await holdByQuota(run, target, options);
  if (held !== null) return held;
  const { request, address } = built;
  const { made: called, secretValues } = await callReceiver(
    run,
    { ...parts, request, address },
    options,
  );
  const ended = { ...called, result: withVerdict(config.receiver, called.result) };
  const random = options.random();
  return toOutcome(run, ended, { ...config, secretValues, success: null, random });
}

/** Released: the versions can't be read while the database is away, as during a failover. */
async function pinVersion(
  event: RunEvent,
  target: SendTarget,
  options: SendOptions,
): Promise<Pinned<RunEvent> | "released"> {
  try {
    return await toPinnedVersion(event, target, options);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    logCounted("warn", "runs.versions_unknown", { error: toError(error).message });
    return "released";
  }
}

/** The event with the body that the subscription's transform makes of it, or the outcome without one. */
async function makeBody(
  run: ClaimedSend,
  { accountId, transform: source }: SendTarget,
  event: RunEvent,
  { threads, random }: SendOptions,
): Promise<RunEvent | Executed> {
  if (source === null) return event;
  const made = await transformBody(threads, event, { accountId, source });
  if (made.ok && made.body !== null) return { ...event, body: Buffer.from(made.body) };
  if (made.ok) return endRun(run, "skipped", skippedByTransform.code, skippedByTransform.detail);
  const { code, message, isBusy } = made;
  if (isBusy) return { finished: tryLater(run, code, message, random()), result: null };
  // The next try would give the same. Once the code is corrected, a person retries it.
  return failBeforeCall(run, code, describeFault(made), []);
}

/** The outcome of a send beyond its recipient's quota. Null: it may be called. */
async function holdByQuota(
  run: ClaimedSend,
  { quota }: SendTarget,
  { db, random }: SendOptions,
): Promise<Executed | "released" | null> {
  if (quota === null) return null;
  try {
    const { isAllowed, resetsInMs, resetsOn } = await takeQuota(db, run, quota);
    if (isAllowed) return null;
    const limit = `${quota.recipient} has used its ${quota.limit.toLocaleString("en")} sends of the ${quota.per}.`;
    if (quota.whenUsedUp === "refuse") return endRun(run, "cancelled", "quota", limit);
    const detail = `${limit} It waits for the next one, which begins on ${resetsOn} (UTC).`;
    return delayRun(run, { code: "quota", detail }, Math.ceil(resetsInMs + random() * spreadMs));
  } catch (error) {
    log.warn("runs.quota_unknown", { runId: run.id, error: toError(error) });
    return "released";
  }
}

/** What has waited for a period doesn't begin all at once. */
const spreadMs = 10_000;

async function callReceiver(
  run: ClaimedSend,
  {
    config: { credential, secretValues },
    target: { isPortalReceiver, timeoutMs },
    nowMs: startedAtMs,
    request,
    address,
  }: SendParts & {
    readonly request: OutgoingRequest;
    readonly address: BrokerAddress | undefined;
  },
  options: SendOptions,
): ReturnType<typeof makeCall> {
  const call = {
    purpose: purposeOf(run),
    startedAtMs,
    request,
    credential,
    timeoutMs,
    secretValues,
  };
  if (address !== undefined) return await publishEvent({ ...call, address }, options);
  if (!isPortalReceiver) return await makeCall(call, options);
  const { portalClient: client, portalCredentialCalls: credentialCalls, signal } = options;
  const { made, ...hidden } = await makeCall(call, { client, credentialCalls, signal });
  const { result } = made;
  if (result.ok || result.error.code !== "blocked") return { made, ...hidden };
  const error = { code: "blocked", message: portalBlockedMessage } as const;
  return { made: { ...made, result: { ...result, error } }, ...hidden };
}

/** Some receivers say in a complete response that they took nothing. */
function withVerdict({ type }: SendConfig["receiver"], result: CallResult): CallResult {
  if (type !== "eventbridge" || !result.ok) return result;
  const error = readEventBusFault(result.response.status, result.response.body);
  return error === null ? result : { ...result, ok: false, error };
}

type Mismatch = { readonly because: string; readonly failed?: string };

/** The outcome of a filter that doesn't match. Null: the filter matches, or there is none. */
async function findMismatch(
  target: SendTarget,
  { filter }: SendConfig,
  event: RunEvent,
  threads: Threads<PrepareTasks>,
  nowMs: number,
): Promise<Mismatch | null> {
  if (filter === null) return null;
  const { verdict, built } = await prepareBounded(threads, toFilterInput(event, filter, nowMs), {
    accountId: target.accountId,
    actionChars: target.filterJson?.length ?? 0,
  });
  if (!verdict.matches) return { because: verdict.because };
  if (built?.ok !== false) return null;
  return { failed: built.code, because: built.errors.map(({ message }) => message).join("; ") };
}
