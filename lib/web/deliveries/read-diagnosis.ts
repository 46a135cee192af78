import { AppError } from "#lib/errors.ts";
import { examineDelivery } from "#lib/services/deliveries/accept-delivery.ts";
import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import type { ServiceContext } from "#lib/services/service.ts";
import { userContext } from "#lib/web/auth/run-service.ts";
import { requireSession } from "#lib/web/auth/session.ts";

/**
 * Explains why a delivery was rejected, and checks if it would be accepted now. Null: it isn't
 * rejected.
 */
export async function readDiagnosis(id: string) {
  const context = userContext(await requireSession());
  const [read, acceptance] = await Promise.all([
    tryDiagnosis(context, id),
    examineDelivery(context, { id }),
  ]);
  return { read, acceptance };
}

/** If the diagnosis is busy, it says so, and the rest of the page stays. */
async function tryDiagnosis(context: ServiceContext, id: string) {
  try {
    return { ok: true, ...(await diagnoseDelivery(context, { id })) } as const;
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message } as const;
    throw error;
  }
}
