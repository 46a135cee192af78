import { erasureValuesPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";

type Owner = { readonly id: string; readonly accountId: string };

/** The values, for as long as the job needs them. */
export function sealErasedValues(
  sealer: Sealer,
  owner: Owner,
  values: readonly string[],
): Uint8Array<ArrayBuffer> {
  const sealed = sealer.seal(Buffer.from(JSON.stringify(values)), erasureValuesPlace(owner));
  return new Uint8Array(sealed);
}

/** Throws if no key opens them. */
export function openErasedValues(
  sealer: Sealer,
  { ciphertext, ...owner }: Owner & { readonly ciphertext: Uint8Array },
): readonly string[] {
  const opened = sealer.open(ciphertext, erasureValuesPlace(owner));
  if (!opened.ok) throw new Error(`The values of an erasure can't be opened. ${opened.message}`);
  return JSON.parse(Buffer.from(opened.plaintext).toString());
}

/** By which someone who knows the value, on a server with the key, recognizes a receipt. No one else can try values. */
export function fingerprintOf(sealer: Sealer, accountId: string, value: string): string {
  const text = JSON.stringify(["erased value", accountId, value.normalize("NFC").toLowerCase()]);
  return Buffer.from(sealer.fingerprint(text)).toString("hex").slice(0, 32);
}
