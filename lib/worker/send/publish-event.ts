import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { Brokers } from "#lib/net/brokers/create-brokers.ts";
import { CallFailure } from "#lib/net/call-failure.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { makeCall } from "../action/make-call.ts";
import { toStoredRequest } from "../outcome/stored-attempt.ts";
import { reportCall, reportCallEnd } from "../outcome/worker-signals.ts";
import type { BrokerAddress } from "./to-send-request.ts";

type Call = Parameters<typeof makeCall>[0] & { readonly address: BrokerAddress };
type AddressOf<Kind extends BrokerAddress["kind"]> = Extract<BrokerAddress, { kind: Kind }>;
type Options = { readonly brokers: Brokers; readonly signal: AbortSignal };

const contentType = "application/json";

/** `makeCall`, for a broker: an attempt shows the message as a request, and the broker's reply as a response. */
export async function publishEvent(
  { purpose, startedAtMs, request: built, address, credential, timeoutMs, secretValues }: Call,
  { brokers, signal }: Options,
): ReturnType<typeof makeCall> {
  const reported = reportCall(purpose, built);
  const request = reported?.request ?? built;
  const requestJson = toStoredRequest(toShown(request, address), secretValues);
  const target = toTarget(request, credential);
  const options = { timeoutMs, signal };
  const result =
    address.kind === "kafka"
      ? await publishToKafka(request, address, target, startedAtMs, { brokers, ...options })
      : await publishToRabbit(request, address, target, { brokers, ...options });
  reportCallEnd(reported, result);
  return { made: { startedAtMs, requestJson, result }, secretValues };
}

type PublishOptions = Options & { readonly timeoutMs: number };
type Target = NonNullable<ReturnType<typeof toTarget>>;

async function publishToRabbit(
  { headers, body }: OutgoingRequest,
  { kind: _, ...address }: AddressOf<"rabbitmq">,
  target: Target | null,
  { brokers, ...options }: PublishOptions,
): Promise<CallResult> {
  if (target === null) return noLogin;
  const message = {
    ...address,
    contentType,
    headers: Object.fromEntries(headers),
    body: body ?? new Uint8Array(),
  };
  return await brokers.rabbitmq.publish(message, target, options);
}

async function publishToKafka(
  { url, headers, body }: OutgoingRequest,
  { topic, key, mechanism }: AddressOf<"kafka">,
  target: Target | null,
  timestampMs: number,
  { brokers, ...options }: PublishOptions,
): Promise<CallResult> {
  const message = { topic, key, headers, value: body ?? new Uint8Array(), timestampMs };
  const { login = null, loginKey = "" } = target ?? {};
  const to = { url, login: login === null ? null : { ...login, mechanism }, loginKey };
  return await brokers.kafka.publish(message, to, options);
}

/** The fields besides its headers come first. */
function toShown(request: OutgoingRequest, address: BrokerAddress): OutgoingRequest {
  return { ...request, headers: [...toFields(address), ...request.headers] };
}

function toFields(address: BrokerAddress): OutgoingRequest["headers"] {
  if (address.kind === "kafka")
    return [
      ["topic", address.topic],
      ["message-key", address.key],
    ];
  return [
    ["exchange", address.exchange],
    ["routing-key", address.routingKey],
    ["message-id", address.messageId],
    ["type", address.type],
    ["content-type", contentType],
  ];
}

/** Null: it has no login. */
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
