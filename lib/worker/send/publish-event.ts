import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { BrokerClient } from "#lib/net/brokers/broker-client.ts";
import { CallFailure } from "#lib/net/call-failure.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { makeCall } from "../action/make-call.ts";
import { toStoredRequest } from "../outcome/stored-attempt.ts";
import { reportCall, reportCallEnd } from "../outcome/worker-signals.ts";
import type { BrokerAddress } from "./to-send-request.ts";

type Call = Parameters<typeof makeCall>[0] & { readonly address: BrokerAddress };

const contentType = "application/json";

/** `makeCall`, for a broker: an attempt shows the message as a request, and the broker's reply as a response. */
export async function publishEvent(
  { purpose, startedAtMs, request: built, address, credential, timeoutMs, secretValues }: Call,
  { brokers, signal }: { readonly brokers: BrokerClient; readonly signal: AbortSignal },
): ReturnType<typeof makeCall> {
  const reported = reportCall(purpose, built);
  const request = reported?.request ?? built;
  const requestJson = toStoredRequest(toShown(request, address), secretValues);
  const target = toTarget(request, credential);
  const message = {
    ...address,
    contentType,
    headers: Object.fromEntries(request.headers),
    body: request.body ?? new Uint8Array(),
  };
  const result =
    target === null ? noLogin : await brokers.publish(message, target, { timeoutMs, signal });
  reportCallEnd(reported, result);
  return { made: { startedAtMs, requestJson, result }, secretValues };
}

/** The fields besides its headers come first. */
function toShown(
  request: OutgoingRequest,
  { exchange, routingKey, messageId, type }: BrokerAddress,
): OutgoingRequest {
  const headers = [
    ["exchange", exchange],
    ["routing-key", routingKey],
    ["message-id", messageId],
    ["type", type],
    ["content-type", contentType],
    ...request.headers,
  ] as const;
  return { ...request, headers };
}

/** Null: the credential has no login. */
function toTarget({ url }: OutgoingRequest, credential: SavedCredential | null) {
  if (credential?.auth.type !== "basic") return null;
  const { id, version, auth } = credential;
  return {
    url,
    login: { username: auth.username, password: auth.password },
    loginKey: `${id}.${version}`,
  };
}

const { code, message } = new CallFailure("credential");
const noLogin: CallResult = {
  ok: false,
  error: { code, message },
  response: null,
  durationMs: 0,
};
