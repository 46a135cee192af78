import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { toFilterInput } from "#lib/core/sending/filter-input.ts";
import { portalBlockedMessage } from "#lib/core/sending/portal-blocked-message.ts";
import { signEvent } from "#lib/core/sending/sign-event.ts";
import type { ClaimedSend } from "#lib/db/queue/claimed-run.ts";
import type { RunEvent, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import type { SendConfig, SendConfigs } from "../config/send-config.ts";
import { type Executed, endRun, failBeforeCall, toOutcome } from "../outcome/run-outcome.ts";
import { toStoredRequest } from "../outcome/stored-attempt.ts";
import { purposeOf, reportCall, reportCallEnd } from "../outcome/worker-signals.ts";

export type SendOptions = {
  readonly client: HttpClient;
  /** Calls receivers that were entered in the portal. It may call other networks. */
  readonly portalClient: HttpClient;
  readonly sendConfigs: SendConfigs;
  /** Threads for filters over large events. */
  readonly threads: Threads<PrepareTasks>;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** Cancels calls in flight when the worker has to stop. */
  readonly signal: AbortSignal;
  /** A number in [0, 1), uniformly distributed, which spreads retries. */
  readonly random: () => number;
};

type SendInput = {
  readonly run: ClaimedSend;
  /** The subscription. Undefined: it was deleted after the run was queued. */
  readonly target: SendTarget | undefined;
  readonly event: RunEvent | undefined;
};

/**
 * Makes one attempt to send an event to a subscription: filter, signature, call, and next state.
 * Never rejects because of an event, a subscription, or a receiver.
 */
export async function executeSend(input: SendInput, options: SendOptions): Promise<Executed> {
  const { run, target, event } = input;
  if (target === undefined)
    return endRun(run, "cancelled", "subscription_gone", "The subscription was deleted.");
  if (event === undefined)
    return endRun(run, "failed", "event_gone", "The event is no longer stored.");
  const read = options.sendConfigs.read(target);
  if (!read.ok) return failBeforeCall(run, read.code, read.message, []);
  const { config } = read;
  const nowMs = Date.now();
  const mismatch = await findMismatch(target, config, event, options.threads, nowMs);
  if (mismatch !== null && "failed" in mismatch)
    return failBeforeCall(run, mismatch.failed, mismatch.because, config.secretValues);
  if (mismatch !== null) return endRun(run, "skipped", "filter_not_matched", mismatch.because);
  const keys = config.keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  if (keys.length === 0) {
    const message = "The subscription has no active secret. Rotate its secret.";
    return failBeforeCall(run, "secret_missing", message, config.secretValues);
  }
  const signed: OutgoingRequest = {
    method: "POST",
    url: target.receiverUrl,
    headers: [
      ["content-type", "application/json"],
      ["user-agent", `Catchment/${options.version}`],
      ...config.headers,
      ...signEvent({
        id: event.publicId,
        timestamp: Math.floor(nowMs / 1000),
        body: event.body,
        keys,
        headers: target.signatureHeaders,
      }),
    ],
    body: event.body,
  };
  const reported = reportCall(purposeOf(run), signed);
  const request = reported?.request ?? signed;
  const requestJson = toStoredRequest(request, config.secretValues);
  const result = await callReceiver(target, request, options);
  reportCallEnd(reported, result);
  const made = { startedAtMs: nowMs, requestJson, result };
  return toOutcome(run, made, { ...config, success: null, random: options.random() });
}

async function callReceiver(
  { isPortalReceiver, timeoutMs }: SendTarget,
  request: OutgoingRequest,
  { client, portalClient, signal }: SendOptions,
): Promise<CallResult> {
  if (!isPortalReceiver) return await client.call(request, { timeoutMs, signal });
  const result = await portalClient.call(request, { timeoutMs, signal });
  if (result.ok || result.error.code !== "blocked") return result;
  return { ...result, error: { code: "blocked", message: portalBlockedMessage } };
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
