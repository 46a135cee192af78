import { createHmac } from "node:crypto";
import { isSameSecret } from "#lib/base/is-same-secret.ts";

/**
 * How `doctor` recognizes this installation behind its public URL. The request carries a time,
 * signed with a key that only this installation has. The response says what the listener saw of the
 * request, signed for that time. No one else gets a response, so it reveals nothing about proxies.
 */
export const doctorHeader = "x-catchment-doctor";

/** The request as the listener saw it. */
export type SeenRequest = {
  /** The address that connected. */
  readonly peer: string;
  /** Whether that address is in `CATCHMENT_TRUSTED_PROXIES`. */
  readonly isTrusted: boolean;
  readonly hasForwardedFor: boolean;
  readonly host: string;
};

export function createDoctorMark(key: Uint8Array, nowMs: number): string {
  return `${nowMs}.${sign(key, `ask ${nowMs}`)}`;
}

/** Null if the mark isn't one of this installation, or too old. */
export function respondToDoctor(
  key: Uint8Array,
  mark: string,
  seen: SeenRequest,
  nowMs: number,
): string | null {
  const [askedAt = "", signature = ""] = mark.split(".");
  if (!/^\d{1,15}$/.test(askedAt) || Math.abs(nowMs - Number(askedAt)) > validMs) return null;
  if (!isSameSecret(signature, sign(key, `ask ${askedAt}`))) return null;
  const text = Buffer.from(JSON.stringify(seen)).toString("base64url");
  return `${text}.${sign(key, `response ${askedAt} ${text}`)}`;
}

/** Null if another installation answered, or something in between. */
export function readDoctorResponse(
  key: Uint8Array,
  mark: string,
  response: string,
): SeenRequest | null {
  const [askedAt = ""] = mark.split(".");
  const [text = "", signature = ""] = response.split(".");
  if (!isSameSecret(signature, sign(key, `response ${askedAt} ${text}`))) return null;
  return JSON.parse(Buffer.from(text, "base64url").toString()) as SeenRequest;
}

/** The clocks of the two may differ, which `doctor` reports separately. */
const validMs = 600_000;

function sign(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
