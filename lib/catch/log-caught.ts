import { sqlStateOf } from "#lib/db/is-data-error.ts";
import { errorTable } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { Caught, Refusal } from "./catch-result.ts";

/** One line a delivery. It names the hook by its id: the path holds the key, and a query string may hold a token. */
export function logCaught({ hookId, result }: Caught, status: number, durationMs: number): void {
  const common = { outcome: result.outcome, hookId, status, durationMs: Math.round(durationMs * 10) / 10 };
  if (result.outcome !== "refused") {
    log.info("delivery.caught", { ...common, deliveryId: result.deliveryId });
    return;
  }
  const { code, reason } = result;
  const fields = { ...common, code, reason };
  if (errorTable[code].status < 500) log.info("delivery.caught", fields);
  else log.error("delivery.caught", { ...fields, ...describeCause(result) });
}

/** Only what kind of trouble it was: a message from the database may quote the values it was given. */
function describeCause({ cause }: Refusal): { sqlState?: string; error?: string } {
  if (cause === undefined) return {};
  const sqlState = sqlStateOf(cause);
  if (sqlState !== null) return { sqlState };
  return { error: cause instanceof Error ? `${cause.name}: ${cause.message.slice(-300)}` : "unknown" };
}
