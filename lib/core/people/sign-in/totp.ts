import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Codes of authenticator apps: RFC 6238 with SHA-1, 6 digits, and 30 seconds, which is what every
 * app can do. It is ten lines, and the RFC has the vectors, so it needs no dependency.
 */
export const totpSecretBytes = 20;
const stepMs = 30_000;

/**
 * The time step of the code: the present one, the one before, or the one after, because clocks
 * differ. Null: it is none of them. A caller accepts each step once.
 */
export function findTotpStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / stepMs);
  const given = Buffer.from(code.padEnd(6).slice(0, 7));
  const steps = [now, now - 1, now + 1].filter((step) => {
    const expected = Buffer.from(totpAt(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return steps[0] ?? null;
}

/** RFC 4226 §5.3. */
function totpAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** The text of the QR code that an app scans. */
export function totpUri(secret: Uint8Array, email: string, host: string): string {
  const label = `Catchment (${host}):${email}`;
  const parameters = new URLSearchParams({
    secret: toBase32(secret),
    issuer: `Catchment (${host})`,
  });
  // Some apps show a plus sign where a space is meant.
  return `otpauth://totp/${encodeURIComponent(label)}?${parameters.toString().replaceAll("+", "%20")}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
