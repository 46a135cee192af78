import type { SecretShape } from "./secret-hints.ts";

/** A secret of 256 random bits in the scheme's format, for providers where the user chooses it. */
export function generateSecret(shape: SecretShape | null): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  if (shape === null) return toHex(bytes);
  if (shape.kind === "password") return `catchment:${toHex(bytes)}`;
  return `${shape.prefix ?? shape.startsWith ?? ""}${encode(bytes, shape.decode)}`;
}

function encode(bytes: Uint8Array, decode: SecretShape["decode"]): string {
  if (decode !== "base64" && decode !== "base64url") return toHex(bytes);
  const base64 = btoa(String.fromCharCode(...bytes));
  return decode === "base64"
    ? base64
    : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
