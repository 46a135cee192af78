import type { EventRules } from "#lib/core/batch/find-events.ts";
import { type Handshakes, sortHandshakes } from "#lib/core/handshake/find-handshake.ts";
import { sealValue } from "#lib/core/redact/sealed-value.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Provider, ProviderAnswer } from "#lib/core/verify/provider.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { Verifier } from "#lib/core/verify/verify.ts";
import { type CatchHookRow, type CatchRules, parseCatchRules } from "#lib/db/catch-hook.ts";
import {
  createVerifier,
  findBodyRedaction,
  findKey,
  findSettings,
  openSecrets,
} from "#lib/db/hook-verifier.ts";
import { headersPlace } from "#lib/db/sealed-headers.ts";
import { pendingLimits } from "#lib/schema/hook.ts";
import { createRedaction, type Redaction } from "./redaction.ts";

/** A hook made ready to judge deliveries: rules parsed, secrets opened, the verifier prepared. */
export type CatchHook = {
  readonly id: string;
  readonly accountId: string;
  readonly isDisabled: boolean;
  readonly methods: readonly string[];
  /** Null: the hook takes whatever arrives. */
  readonly verifier: Verifier | null;
  readonly events: EventRules;
  /** Null: our own JSON. */
  readonly response: CustomResponse | null;
  /** The sender wants a 401 without a body. */
  readonly hasEmptyRefusals: boolean;
  /** Null: nothing that this hook gets can be a handshake. */
  readonly handshakes: HookHandshakes | null;
  /** Null: it does not wait for its first secret. */
  readonly pending: PendingHook | null;
  readonly redaction: Redaction;
  /** Takes the secret out of a verified body; null: none travels there. */
  readonly hideSecret: ((body: Uint8Array) => Uint8Array) | null;
  /** When one of its secrets expires and it has to be made again, in milliseconds since 1970. */
  readonly validUntilMs: number;
};

export type CustomResponse = NonNullable<CatchRules["response"]>;

/** `key` is that of its newest secret, for answers that are computed with it. */
export type HookHandshakes = Handshakes & {
  readonly key: Uint8Array | null;
  readonly settings: Readonly<Record<string, string>>;
};

export type PendingHook = {
  /** False once it has kept as much, or waited as long, as it may: from then on it refuses. */
  readonly hasRoom: boolean;
  /** A credential of a delivery, to be judged later. */
  readonly seal: (value: string, deliveryId: string) => string;
};

/** Throws where a rule can't be read: such a hook takes nothing, and its senders come back. */
export function toCatchHook(row: CatchHookRow, sealer: Sealer, nowMs: number): CatchHook {
  const { dedupe, eventType, response } = parseCatchRules(row);
  const provider = findProvider(row.provider);
  const stored = {
    ...row,
    secrets: row.secrets.map(({ id, ciphertext }) => ({ id, ciphertext: Buffer.from(ciphertext, "base64") })),
  };
  const secrets = openSecrets(stored, sealer);
  const handshakes = sortHandshakes(provider?.handshakes);
  return {
    id: row.id,
    accountId: row.accountId,
    isDisabled: row.status === "disabled",
    methods: row.methods,
    verifier: createVerifier(stored, secrets),
    events: { dedupe, eventType, batch: findBatch(row, provider) },
    response: response ?? toResponse(provider?.answer),
    hasEmptyRefusals: provider?.answer?.hasEmptyRefusals === true,
    handshakes:
      handshakes === null
        ? null
        : { ...handshakes, key: findKey(stored, secrets), settings: findSettings(stored) },
    pending: toPending(row, sealer),
    redaction: createRedaction(row),
    hideSecret: findBodyRedaction(stored, secrets),
    validUntilMs: Math.min(
      ...row.secrets.map(({ expiresInMs }) => nowMs + (expiresInMs ?? Number.POSITIVE_INFINITY)),
    ),
  };
}

function findBatch(row: CatchHookRow, provider: Provider | undefined): EventRules["batch"] {
  return row.splitBatches ? (provider?.batch ?? null) : null;
}

function toResponse(answer: ProviderAnswer | undefined): CustomResponse | null {
  if (answer === undefined) return null;
  const { status = 200, contentType, body = "" } = answer;
  return { status, headers: contentType === undefined ? {} : { "content-type": contentType }, body };
}

function toPending({ accountId, pending }: CatchHookRow, sealer: Sealer): PendingHook | null {
  if (pending === null) return null;
  const { days, deliveries, bytes } = pendingLimits;
  return {
    hasRoom: pending.ageSeconds < days * 86_400 && pending.deliveries < deliveries && pending.bytes < bytes,
    seal: (value, deliveryId) => sealValue(sealer, value, headersPlace(accountId, deliveryId)),
  };
}
