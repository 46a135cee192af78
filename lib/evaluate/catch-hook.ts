import { sealValue } from "#lib/core/people/redact/sealed-value.ts";
import { deliveryHeadersPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { findPayloadField, findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { isSampleMark } from "#lib/core/providers/samples/sample-mark.ts";
import type { ExpectedResponse } from "#lib/core/providers/shapes/provider.ts";
import type { EventRules } from "#lib/core/verify/batch/find-events.ts";
import { type Handshakes, sortHandshakes } from "#lib/core/verify/handshake/find-handshake.ts";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import {
  createVerifier,
  findBodyRedaction,
  findHandshakes,
  findKey,
  findSettings,
  isHookIdentitySigned,
  type VerificationRow,
  type VerifierChoice,
} from "#lib/core/verify/hook/hook-verifier.ts";
import type { Verifier } from "#lib/core/verify/verify.ts";
import { type CatchHookRow, type CatchRules, parseCatchRules } from "#lib/db/hooks/catch-hook.ts";
import { pendingLimits } from "#lib/schema/receive/pending-limits.ts";
import { createRedaction, type Redaction } from "./redaction.ts";

/**
 * A hook that is ready to receive deliveries: rules parsed, secrets decrypted, verifier prepared.
 */
export type CatchHook = {
  readonly id: string;
  readonly accountId: string;
  readonly isDisabled: boolean;
  readonly methods: readonly string[];
  /** The origins of pages that may send from a browser. Null: none. */
  readonly allowedOrigins: readonly string[] | null;
  /** Null: the server's default. */
  readonly ratePerSecond: number | null;
  /** Null: the hook doesn't verify deliveries. */
  readonly verifier: Verifier | null;
  readonly events: EventRules;
  /** Null: the default JSON response. */
  readonly response: CustomResponse | null;
  /** The time that a response waits for a reply. Null: it doesn't wait. */
  readonly replyWaitMs: number | null;
  /** The listener whose program replies. Null: an action does, or nothing. */
  readonly replyingListenerId: string | null;
  /** The provider expects a 401 without a body. */
  readonly hasEmptyRejections: boolean;
  /** Null: the provider has no handshakes. */
  readonly handshakes: HookHandshakes | null;
  /** Null: the hook isn't awaiting its first secret. */
  readonly pending: PendingHook | null;
  /** The hook's generated key, if it was found by a path, which is no secret. */
  readonly keyOfPath: string | null;
  readonly redaction: Redaction;
  /** True for a sample that Catchment sent to this hook. */
  readonly isSample: (mark: string, body: Uint8Array, nowMs: number) => boolean;
  /** Removes the secret from a verified body. Null: the body contains no secret. */
  readonly hideSecret: ((body: Uint8Array) => Uint8Array) | null;
  /** Unix milliseconds at which a secret or its URL expires and the hook has to be reloaded. */
  readonly validUntilMs: number;
};

export type CustomResponse = NonNullable<CatchRules["response"]>;

/** `key` belongs to the newest secret, for computed responses. */
type HookHandshakes = Handshakes & {
  readonly key: Uint8Array | null;
  readonly settings: Readonly<Record<string, string>>;
};

type PendingHook = {
  /** False once the limits of pending deliveries are reached. New ones are rejected. */
  readonly hasRoom: boolean;
  /** Seals a credential of a delivery, to be verified later. */
  readonly seal: (value: string, deliveryId: string) => string;
};

/** The parts of a hook that requests are evaluated with, new and stored ones. */
export type HookRules = Pick<
  CatchHook,
  | "id"
  | "accountId"
  | "verifier"
  | "events"
  | "pending"
  | "redaction"
  | "hideSecret"
  | "hasEmptyRejections"
> & { readonly handshakes: Pick<Handshakes, "signed"> | null };

type RulesRow = VerificationRow & {
  readonly provider: string;
  readonly splitBatches: boolean;
};

/** The rules that depend on the provider and the secrets. */
export function toRules(
  row: RulesRow,
  { dedupe, eventType, publish }: Pick<CatchRules, "dedupe" | "eventType" | "publish">,
  secrets: readonly string[],
  choice: VerifierChoice = {},
): Pick<HookRules, "verifier" | "events" | "hideSecret"> {
  const batch = row.splitBatches ? (findProvider(row.provider)?.batch ?? null) : null;
  return {
    verifier: createVerifier(row, secrets, choice),
    events: {
      dedupe,
      eventType,
      payloadField: findPayloadField(row.provider),
      batch,
      isIdentitySigned: isHookIdentitySigned(row, dedupe),
      publish,
    },
    hideSecret: findBodyRedaction(row, secrets),
  };
}

/** Throws if a rule is invalid. The hook then responds with 503, so that providers retry. */
export function toCatchHook(row: CatchHookRow, sealer: Sealer, nowMs: number): CatchHook {
  const { response, cors, ...rules } = parseCatchRules(row);
  const provider = findProvider(row.provider);
  const sealed = row.secrets.map(({ id, ciphertext }) => ({
    id,
    ciphertext: Buffer.from(ciphertext, "base64"),
  }));
  const secrets = openSecrets(row.accountId, sealed, sealer);
  const handshakes = sortHandshakes(findHandshakes(row));
  return {
    ...toRules(row, rules, secrets),
    id: row.id,
    accountId: row.accountId,
    isDisabled: row.status === "disabled",
    methods: row.methods,
    allowedOrigins: cors?.origins ?? null,
    ratePerSecond: row.ratePerSecond,
    response: response ?? toResponse(provider?.response, secrets),
    ...toReplying(row),
    hasEmptyRejections: provider?.response?.hasEmptyRejections === true,
    handshakes:
      handshakes === null
        ? null
        : { ...handshakes, key: findKey(row, secrets), settings: findSettings(row) },
    pending: toPending(row, sealer),
    keyOfPath: row.keyOfPath ?? null,
    redaction: createRedaction(row),
    isSample: (mark, body, atMs) =>
      isSampleMark(sealer, mark, { accountId: row.accountId, hookId: row.id, body, nowMs: atMs }),
    validUntilMs: Math.min(
      nowMs + (row.keyExpiresInMs ?? Number.POSITIVE_INFINITY),
      nowMs + (row.replyingListener?.expiresInMs ?? Number.POSITIVE_INFINITY),
      ...row.secrets.map(({ expiresInMs }) => nowMs + (expiresInMs ?? Number.POSITIVE_INFINITY)),
    ),
  };
}

/** The time in which the program of a listener has to respond. */
const listenerWaitMs = 10_000;

/** A listener that answers comes before the action that replies. */
function toReplying({ replyingListener, replyWaitSeconds }: CatchHookRow) {
  if (replyingListener)
    return { replyWaitMs: listenerWaitMs, replyingListenerId: replyingListener.listenerId };
  const replyWaitMs = replyWaitSeconds === null ? null : replyWaitSeconds * 1_000;
  return { replyWaitMs, replyingListenerId: null };
}

function toResponse(
  response: ExpectedResponse | undefined,
  secrets: readonly string[],
): CustomResponse | null {
  if (response === undefined) return null;
  const { status = 200, contentType, body = "", secretHeader } = response;
  const secret = secrets.find((value) => /^[\x21-\x7e]{1,256}$/.test(value));
  const headers = {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...(secretHeader === undefined || secret === undefined ? {} : { [secretHeader]: secret }),
  };
  return { status, headers, body };
}

function toPending({ accountId, pending }: CatchHookRow, sealer: Sealer): PendingHook | null {
  if (pending === null) return null;
  const { days, deliveries, bytes } = pendingLimits;
  return {
    hasRoom:
      pending.ageSeconds < days * 86_400 &&
      pending.deliveries < deliveries &&
      pending.bytes < bytes,
    seal: (value, deliveryId) =>
      sealValue(sealer, value, deliveryHeadersPlace({ accountId, id: deliveryId })),
  };
}
