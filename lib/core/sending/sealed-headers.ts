/** The headers of a subscription. Their values may be credentials, so they are sealed. */

import { subscriptionHeadersPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";

type SubscriptionHeaders = Readonly<Record<string, string>>;

type Sealed = {
  readonly id: string;
  readonly accountId: string;
  readonly headersCiphertext: Uint8Array | null;
};

/** Opens the headers in plain text, for a call. Throws if they can't be opened. */
export function openHeaders(sealer: Sealer, subscription: Sealed): SubscriptionHeaders {
  const { id, accountId, headersCiphertext } = subscription;
  if (headersCiphertext === null) return {};
  const opened = sealer.open(headersCiphertext, subscriptionHeadersPlace({ id, accountId }));
  if (!opened.ok)
    throw new Error(`The headers of a subscription can't be opened. ${opened.message}`);
  return JSON.parse(Buffer.from(opened.plaintext).toString("utf8")) as SubscriptionHeaders;
}

/** Null: no headers. */
export function sealHeaders(
  sealer: Sealer,
  { id, accountId }: Omit<Sealed, "headersCiphertext">,
  headers: SubscriptionHeaders,
): Uint8Array | null {
  if (Object.keys(headers).length === 0) return null;
  return sealer.seal(
    Buffer.from(JSON.stringify(headers), "utf8"),
    subscriptionHeadersPlace({ id, accountId }),
  );
}

/** Each name with a hint of its value, such as `••••3f2a`. */
export function hintHeaders(sealer: Sealer, subscription: Sealed): SubscriptionHeaders {
  const headers = Object.entries(openHeaders(sealer, subscription));
  return Object.fromEntries(headers.map(([name, value]) => [name, toHint(value)]));
}

/** The hint is never a valid value, because values are ASCII. */
function toHint(value: string): string {
  return `••••${secretHint(value).replaceAll("•", "")}`;
}
