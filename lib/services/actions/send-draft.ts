import { AppError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";
import { log } from "#lib/base/log.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { showResponseBody } from "#lib/core/api/http/show-response.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { redactHeaders } from "#lib/core/people/redact/redact-request.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { CallErrorCode } from "#lib/core/sending/retry/call-error.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import { toCallResult } from "#lib/core/steps/step-result.ts";
import type { CallResponse } from "#lib/net/call-result.ts";
import type { CredentialCall } from "#lib/net/credentials/credential-calls.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import type { ShownRequest } from "./build-preview.ts";
import { type PreparedDraftCall, showStart } from "./preview-draft.ts";
import { testClient, testCredentialCalls } from "./test-client.ts";

/** The result of a test call. Nothing of it is stored. */
export type DraftCall = {
  readonly request: ShownRequest;
  readonly durationMs: number;
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
    /** True if the response was longer than the part that is shown. */
    readonly isCut: boolean;
  } | null;
  readonly error: { readonly code: CallErrorCode; readonly message: string } | null;
  /** The result that later steps see, as JSON text. */
  readonly resultJson: string;
  /** The reason why such a delivery would not run the action, if any. */
  readonly skippedBecause: string | null;
};

/**
 * Concurrent test calls per account: each holds a connection of the dashboard until its timeout.
 */
const maxAtOnce = 4;
const inFlight = new KeyCounts();

type SendInput = {
  readonly accountId: string;
  readonly hookId: string;
  readonly timeoutMs: number;
  /** The reason why the action's own filter skips the delivery, if it does. */
  readonly skippedBecause: string | null;
};

/**
 * Makes the call of a draft once, through the guarded client with the rules for runs. It isn't a
 * run: it is neither retried nor recorded, and has its own Idempotency-Key, so that a receiver
 * doesn't take the later run for a repeat.
 */
export async function sendDraft(
  { env }: ServiceParts,
  prepared: PreparedDraftCall,
  prebuilt: OutgoingRequest,
  { accountId, hookId, timeoutMs, skippedBecause }: SendInput,
): Promise<DraftCall> {
  const { credential, verdict } = prepared;
  const { request, result, secretValues } = await oneOfFew(accountId, () =>
    send(env, prebuilt, credential, timeoutMs),
  );
  const secrets = [...prepared.secrets, ...secretValues];
  const { response, durationMs } = result;
  const status = response?.status ?? null;
  log.info("action.tested", { accountId, hookId, status, durationMs });
  const error = result.ok
    ? null
    : { ...result.error, message: redactText(result.error.message, secrets) };
  return {
    request: showStart(request, secrets),
    durationMs: Math.round(durationMs),
    response: response === null ? null : showResponse(response, secrets),
    error,
    resultJson: toCallResult(response, error ?? describeStatus(response), secrets, 0),
    skippedBecause: skippedBecause ?? (verdict.matches ? null : verdict.because),
  };
}

async function send(
  env: Env,
  request: OutgoingRequest,
  credential: SavedCredential | null,
  timeoutMs: number,
): Promise<CredentialCall> {
  if (credential !== null)
    return await testCredentialCalls(env).call(request, credential, { timeoutMs });
  const result = await testClient(env).call(request, { timeoutMs });
  return { request, result, secretValues: [] };
}

/** Judges the status as a run without retries does. Null: the call succeeded. */
function describeStatus(response: CallResponse | null): StepError | null {
  if (response === null || (response.status >= 200 && response.status < 300)) return null;
  const message = `The receiver responded with ${response.status}; this is not retried`;
  return { code: "not_retried", message };
}

async function oneOfFew<Value>(accountId: string, call: () => Promise<Value>): Promise<Value> {
  if (!inFlight.add(accountId, maxAtOnce))
    throw new AppError(
      "rate_limited",
      `${maxAtOnce} test requests are in progress. Wait for one to finish and try again.`,
    );
  try {
    return await call();
  } finally {
    inFlight.remove(accountId);
  }
}

function showResponse(response: CallResponse, secrets: readonly string[]) {
  const { status, headers, truncated } = response;
  const { text, isBinary } = showResponseBody(response);
  return {
    status,
    headers: redactHeaders(headers, secrets),
    body: redactText(text, secrets),
    isCut: truncated && !isBinary,
  };
}
