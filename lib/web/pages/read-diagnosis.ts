import type { Diagnosis } from "#lib/core/diagnose/diagnosis.ts";
import { AppError } from "#lib/errors.ts";
import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** For a delivery's page: if the diagnosis is busy, it says so, and the rest of the page stays. */
export async function readDiagnosis(
  context: ServerContext,
  accountId: string,
  deliveryId: string,
): Promise<
  | { readonly ok: true; readonly hookId: string; readonly diagnosis: Diagnosis }
  | { readonly ok: false; readonly message: string }
> {
  try {
    const { diagnosis, hook } = await diagnoseDelivery(context, accountId, deliveryId);
    return { ok: true, hookId: hook.id, diagnosis };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    throw error;
  }
}
