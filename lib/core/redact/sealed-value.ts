import type { Sealer, SealPlace } from "#lib/core/seal/sealer.ts";
import { redactionMark } from "./redact-text.ts";

/**
 * A credential that can't be judged yet stands where it was sent, sealed behind the mark: `[redacted] sealed:…`. What is shown is the
 * mark alone.
 */
const sealedPattern = /\[redacted\] sealed:[A-Za-z0-9_-]+/g;
const prefix = `${redactionMark} sealed:`;

/** @param value one byte a character, as headers are read */
export function sealValue(sealer: Sealer, value: string, place: SealPlace): string {
  return prefix + Buffer.from(sealer.seal(Buffer.from(value, "latin1"), place)).toString("base64url");
}

/** The text with what `sealValue` put into it in clear again; what does not open stays as it is. */
export function openSealedValues(sealer: Sealer, text: string, place: SealPlace): string {
  return text.replace(sealedPattern, (sealed) => {
    const opened = sealer.open(Buffer.from(sealed.slice(prefix.length), "base64url"), place);
    return opened.ok ? Buffer.from(opened.plaintext).toString("latin1") : sealed;
  });
}

/** For everything that leaves the store: the mark and nothing behind it. */
export function hideSealedValues(text: string): string {
  return text.includes(prefix) ? text.replace(sealedPattern, redactionMark) : text;
}
