import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { Made } from "../outcome/run-outcome.ts";
import { toStoredRequest } from "../outcome/stored-attempt.ts";
import { type CallPurpose, reportCall, reportCallEnd } from "../outcome/worker-signals.ts";
import type { ExecuteOptions } from "./execute-options.ts";

type Call = {
  readonly purpose: CallPurpose;
  /**
   * When its request was built, in ms since the epoch: the time that its templates saw. A replay
   * builds the same request again from it.
   */
  readonly startedAtMs: number;
  readonly request: OutgoingRequest;
  readonly credential: SavedCredential | null;
  readonly timeoutMs: number;
  /** Secrets in plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
};

/** Makes the call of a run or a step, with its saved credential if it has one. */
export async function makeCall(
  { purpose, startedAtMs, request: built, credential, timeoutMs, secretValues }: Call,
  {
    client,
    credentialCalls,
    signal,
  }: Pick<ExecuteOptions, "client" | "credentialCalls" | "signal">,
): Promise<{ readonly made: Made; readonly secretValues: readonly string[] }> {
  const reported = reportCall(purpose, built);
  const request = reported?.request ?? built;
  if (credential === null) {
    const requestJson = toStoredRequest(request, secretValues);
    const result = await client.call(request, { timeoutMs, signal });
    reportCallEnd(reported, result);
    return { made: { startedAtMs, requestJson, result }, secretValues };
  }
  const call = await credentialCalls.call(request, credential, { timeoutMs, signal });
  reportCallEnd(reported, call.result);
  const hidden =
    call.secretValues.length === 0 ? secretValues : [...secretValues, ...call.secretValues];
  const requestJson = toStoredRequest(call.request, hidden);
  return { made: { startedAtMs, requestJson, result: call.result }, secretValues: hidden };
}
