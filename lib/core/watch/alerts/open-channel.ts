import { alertChannelPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  type ChannelKind,
  type ChannelSecrets,
  channelSecretsSchema,
} from "#lib/schema/watch/alert.ts";

type Sealed = {
  readonly id: string;
  readonly accountId: string;
  readonly kind: ChannelKind;
  readonly target: string;
  readonly ciphertext: Uint8Array | null;
};

type Opened =
  | { readonly kind: "email"; readonly to: string }
  | { readonly kind: Exclude<ChannelKind, "email">; readonly secrets: ChannelSecrets };

/** A channel as it is called. Null: its secrets can't be opened with this server's key. */
export function openChannel(sealer: Sealer, channel: Sealed): Opened | null {
  const { kind, target, ciphertext } = channel;
  if (kind === "email") return { kind, to: target };
  const secrets = ciphertext === null ? null : openSecrets(sealer, { ...channel, ciphertext });
  return secrets === null ? null : { kind, secrets };
}

export function openSecrets(
  sealer: Sealer,
  { ciphertext, ...row }: Pick<Sealed, "id" | "accountId"> & { readonly ciphertext: Uint8Array },
): ChannelSecrets | null {
  const opened = sealer.open(ciphertext, alertChannelPlace(row));
  if (!opened.ok) return null;
  return channelSecretsSchema.parse(JSON.parse(Buffer.from(opened.plaintext).toString("utf8")));
}

export function sealSecrets(
  sealer: Sealer,
  row: Pick<Sealed, "id" | "accountId">,
  secrets: ChannelSecrets,
): Uint8Array {
  return sealer.seal(Buffer.from(JSON.stringify(secrets), "utf8"), alertChannelPlace(row));
}
