import { type ErrorCode, errorTable } from "#lib/base/errors.ts";
import { isVerifyFailure } from "./scheme/failure.ts";

/** A rejection is stored with the reason of its signature, or else with its error code. */
export function toErrorCode(reason: string | null): ErrorCode | null {
  if (reason === null) return null;
  if (isVerifyFailure(reason)) return "signature_invalid";
  return Object.hasOwn(errorTable, reason) ? (reason as ErrorCode) : null;
}
