import { AppError } from "#lib/base/errors.ts";
import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer, SealPlace } from "#lib/core/people/seal/sealer.ts";
import { readReceiverOrigin } from "#lib/core/sending/address/broker-receiver.ts";
import { openRow } from "#lib/core/sending/credential/open-saved.ts";
import {
  listCredentialSecrets,
  type SavedCredential,
} from "#lib/core/sending/credential/saved-credential.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { readSigningKey, type SigningKey } from "#lib/core/sending/sign-event.ts";
import type { SealedSecret, SendTarget } from "#lib/db/queue/load-send-inputs.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { type ActionFilter, eventFilterSchema } from "#lib/schema/act/action-filter.ts";
import type { RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { hasSettings, toReceiverKind, withDefaults } from "#lib/schema/send/receiver-kind.ts";
import { type ReceiverSettings, receiverSettings } from "#lib/schema/send/receiver-settings.ts";
import { isSameHeader, listTimedHeaders } from "#lib/schema/send/signature-headers.ts";
import { ConfigCache, readJson } from "./config-cache.ts";

/** A subscription that is ready to send. */
export type SendConfig = {
  readonly filter: ActionFilter | null;
  /** Null: the default policy. */
  readonly retry: RetryPolicy | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly keys: readonly (SigningKey & { readonly expiresAtMs: number | null })[];
  /** The saved credential of its calls: a client certificate, or one of its receiver's kind. Null: none. */
  readonly credential: SavedCredential | null;
  readonly receiver: { readonly type: "http" | "sqs" } | ReceiverSettings;
  /** Secrets in plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
};

type SendConfigResult =
  | { readonly ok: true; readonly config: SendConfig }
  | {
      readonly ok: false;
      readonly code: "subscription_invalid" | "credentials_unreadable" | "credential_unusable";
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
  const settings = receiverSettings.nullable().safeParse(readJson(target.receiverJson));
  if (!filter.success || !retry.success || !settings.success) {
    return {
      ok: false,
      code: "subscription_invalid",
      message: "The stored subscription can't be read. Save it again.",
    };
  }
  try {
    const credential = openCredential(target, sealer);
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
        credential,
        receiver: toReceiver(credential, target.receiverUrl, settings.data),
        // Any of the headers may be a credential, regardless of its name.
        secretValues: [
          ...secrets.map(({ text }) => text),
          ...headers.map(([, value]) => value),
          ...(credential === null ? [] : listCredentialSecrets(credential.auth)),
        ],
      },
    };
  } catch (error) {
    if (error instanceof AppError)
      return { ok: false, code: "credential_unusable", message: error.message };
    return {
      ok: false,
      code: "credentials_unreadable",
      message:
        "The secrets of this subscription can't be decrypted: the secret key has changed. Rotate its secret.",
    };
  }
}

function openCredential(
  { accountId, receiverUrl, credential }: SendTarget,
  sealer: Sealer,
): SavedCredential | null {
  if (credential === null) return null;
  const opened = openRow(sealer, accountId, credential, readReceiverOrigin(receiverUrl));
  if (toReceiverKind(opened.auth, opened.origin) !== null) return opened;
  throw new AppError("conflict", "The credential is of a kind that subscriptions can't use.");
}

/** The kind that the URL and the credential say, with its settings. */
function toReceiver(
  credential: SavedCredential | null,
  receiverUrl: string,
  stored: ReceiverSettings | null,
): SendConfig["receiver"] {
  const type = toReceiverKind(credential?.auth ?? null, receiverUrl) ?? "http";
  if (stored !== null && stored.type !== type)
    throw new AppError("conflict", `The credential isn't one for ${stored.type}.`);
  if (!hasSettings(type)) return { type };
  const settings = withDefaults(type, stored);
  if (settings !== null) return settings;
  throw new AppError("conflict", `The subscription has no settings for ${type}.`);
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
