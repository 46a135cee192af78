import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer, SealPlace } from "#lib/core/people/seal/sealer.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { readSigningKey, type SigningKey } from "#lib/core/sending/sign-event.ts";
import type { SealedSecret, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { type ActionFilter, eventFilterSchema } from "#lib/schema/act/action-filter.ts";
import type { RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { isSameHeader, listTimedHeaders } from "#lib/schema/send/signature-headers.ts";
import { ConfigCache, readJson } from "./config-cache.ts";

/** A subscription that is ready to send. */
export type SendConfig = {
  readonly filter: ActionFilter | null;
  /** Null: the default policy. */
  readonly retry: RetryPolicy | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly keys: readonly (SigningKey & { readonly expiresAtMs: number | null })[];
  /** Secrets in plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
};

type SendConfigResult =
  | { readonly ok: true; readonly config: SendConfig }
  | {
      readonly ok: false;
      readonly code: "subscription_invalid" | "credentials_unreadable";
      readonly message: string;
    };

export type SendConfigs = ConfigCache<SendTarget, SendConfigResult>;

/** Reads stored subscriptions. */
export function openSendConfigs(sealer: Sealer): SendConfigs {
  const read = (target: SendTarget) => readSendConfig(target, sealer);
  return new ConfigCache({ idOf: ({ subscriptionId }) => subscriptionId, read, max: 5_000 });
}

function readSendConfig(target: SendTarget, sealer: Sealer): SendConfigResult {
  const filter = eventFilterSchema.nullable().safeParse(readJson(target.filterJson));
  const retry = actionInputSchema.shape.retry.nullable().safeParse(readJson(target.retryJson));
  if (!filter.success || !retry.success) {
    return {
      ok: false,
      code: "subscription_invalid",
      message: "The stored subscription can't be read. Save it again.",
    };
  }
  try {
    const secrets = target.secrets.map((secret) => openSecret(target, secret, sealer));
    const opened = openHeaders(sealer, { ...target, id: target.subscriptionId });
    // Of two headers with one name, receivers would read one or the other.
    const signed = listTimedHeaders(target.signatureHeaders);
    const headers = Object.entries(opened).filter(
      ([name]) => !signed.some((other) => isSameHeader(other, name)),
    );
    return {
      ok: true,
      config: {
        filter: filter.data,
        retry: retry.data,
        headers,
        keys: secrets.map(({ key, expiresAtMs }) => ({ ...key, expiresAtMs })),
        // Any of the headers may be a credential, regardless of its name.
        secretValues: [...secrets.map(({ text }) => text), ...headers.map(([, value]) => value)],
      },
    };
  } catch {
    return {
      ok: false,
      code: "credentials_unreadable",
      message:
        "The secrets of this subscription can't be decrypted: the secret key has changed. Rotate its secret.",
    };
  }
}

function openSecret(target: SendTarget, secret: SealedSecret, sealer: Sealer) {
  const place = subscriptionSecretPlace({ accountId: target.accountId, id: secret.id });
  const text = open(sealer, secret.ciphertext, place);
  return { key: readSigningKey(secret.kind, text), text, expiresAtMs: secret.expiresAtMs };
}

function open(sealer: Sealer, sealed: Uint8Array, place: SealPlace): string {
  const opened = sealer.open(sealed, place);
  if (!opened.ok) throw new Error(opened.message);
  return Buffer.from(opened.plaintext).toString("utf8");
}
