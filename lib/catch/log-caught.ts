import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { errorTable } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { Caught, Rejection } from "./catch-result.ts";

/** Logs one line per delivery. Uses the hook's id, since the URL contains secrets. */
export function logCaught({ hookId, result }: Caught, status: number, durationMs: number): void {
  const common = {
    outcome: result.outcome,
    hookId,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  if (result.outcome !== "refused") {
    log.info("delivery.caught", { ...common, deliveryId: result.deliveryId });
    return;
  }
  const { code, reason } = result;
  const fields = { ...common, code, reason };
  if (errorTable[code].status < 500) log.info("delivery.caught", fields);
  else log.error("delivery.caught", { ...fields, ...describeCause(result) });
}

/** Only the error's name and the end of its message: database messages may quote values. */
function describeCause({ cause }: Rejection): { sqlState?: string; error?: string } {
  if (cause === undefined) return {};
  const sqlState = sqlStateOf(cause);
  if (sqlState !== null) return { sqlState };
  return {
    error: cause instanceof Error ? `${cause.name}: ${cause.message.slice(-300)}` : "unknown",
  };
}
