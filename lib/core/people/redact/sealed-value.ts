import type { Sealer, SealPlace } from "#lib/core/people/seal/sealer.ts";
import { redactionMark } from "./redact-text.ts";

/**
 * Pending deliveries keep credentials in place, sealed: `[redacted] sealed:…`. Only the mark is
 * shown.
 */
const sealedPattern = /\[redacted\] sealed:[A-Za-z0-9_-]+/g;
const prefix = `${redactionMark} sealed:`;

/** @param value latin1, like header values */
export function sealValue(sealer: Sealer, value: string, place: SealPlace): string {
  return (
    prefix + Buffer.from(sealer.seal(Buffer.from(value, "latin1"), place)).toString("base64url")
  );
}

/** Seals a whole text, as one value. */
export function sealText(sealer: Sealer, text: string, place: SealPlace): string {
  return sealValue(sealer, Buffer.from(text).toString("latin1"), place);
}

/** Decrypts what `sealText` sealed. One from before texts were sealed is returned as it is. Null: no key opens it. */
export function openText(sealer: Sealer, stored: string, place: SealPlace): string | null {
  if (!stored.startsWith(prefix)) return stored;
  const opened = sealer.open(Buffer.from(stored.slice(prefix.length), "base64url"), place);
  return opened.ok ? Buffer.from(opened.plaintext).toString() : null;
}

/** Decrypts the values that `sealValue` sealed. Values that can't be opened stay unchanged. */
export function openSealedValues(sealer: Sealer, text: string, place: SealPlace): string {
  return text.replace(sealedPattern, (sealed) => {
    const opened = sealer.open(Buffer.from(sealed.slice(prefix.length), "base64url"), place);
    return opened.ok ? Buffer.from(opened.plaintext).toString("latin1") : sealed;
  });
}

/**
 * Seals the values in a text again with the current key. Values that can't be opened stay unchanged.
 */
export function resealValues(sealer: Sealer, text: string, place: SealPlace): string {
  return text.replace(sealedPattern, (sealed) => {
    const opened = sealer.open(Buffer.from(sealed.slice(prefix.length), "base64url"), place);
    if (!opened.ok) return sealed;
    return prefix + Buffer.from(sealer.seal(opened.plaintext, place)).toString("base64url");
  });
}

/** The text that a value sealed with this key begins with. */
export function beginOfSealedValue(keyId: string): string {
  const head = Buffer.concat([Buffer.of(1, Buffer.byteLength(keyId)), Buffer.from(keyId)]);
  // Whole groups of 3 bytes: the last characters of the others depend on what follows.
  const whole = head.subarray(0, head.length - (head.length % 3));
  return prefix + whole.toString("base64url");
}

/** Removes sealed values, for everything that leaves the database. */
export function hideSealedValues(text: string): string {
  return text.includes(prefix) ? text.replace(sealedPattern, redactionMark) : text;
}
