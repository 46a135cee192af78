import { errorTable } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import type { Rejection } from "#lib/ingress/rejection.ts";
import type { Caught } from "./catch-result.ts";

/**
 * Logs one line per delivery. For requests that aren't stored, logs one line per second, reason,
 * and hook. Uses the hook's id, since the URL contains secrets.
 */
export function logCaught({ hookId, result }: Caught, status: number, durationMs: number): void {
  const { outcome } = result;
  if (outcome !== "rejected") {
    const { deliveryId } = result;
    const roundedMs = Math.round(durationMs * 10) / 10;
    if (deliveryId === null)
      logCounted("info", "delivery.caught", { outcome, hookId, status }, { durationMs });
    else
      log.info("delivery.caught", { outcome, hookId, status, durationMs: roundedMs, deliveryId });
    return;
  }
  const { code, reason } = result;
  const fields = { outcome, hookId, status, code, reason };
  if (errorTable[code].status < 500) logCounted("info", "delivery.caught", fields, { durationMs });
  else
    logCounted("error", "delivery.caught", { ...fields, ...describeCause(result) }, { durationMs });
}

/** The error's name and the end of its message only: database messages may quote values. */
function describeCause({ cause }: Rejection): { sqlState?: string; error?: string } {
  if (cause === undefined) return {};
  const sqlState = sqlStateOf(cause);
  if (sqlState !== null) return { sqlState };
  return {
    error: cause instanceof Error ? `${cause.name}: ${cause.message.slice(-300)}` : "unknown",
  };
}
