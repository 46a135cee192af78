import { AppError } from "#lib/base/errors.ts";

/** The error for input that wasn't examined because no thread was free. */
export function busyServer(): AppError {
  return new AppError("rate_limited", "The server is busy. Try again in a few seconds.", {
    headers: { "retry-after": "5" },
  });
}
