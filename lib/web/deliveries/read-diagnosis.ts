import { AppError } from "#lib/base/errors.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { examineDelivery } from "#lib/services/deliveries/change-deliveries.ts";
import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/**
 * Explains why a delivery was rejected, and checks if it would be accepted now. Null: it isn't
 * rejected.
 */
async function readDiagnosis(context: ServiceContext, id: string) {
  const [read, acceptance] = await Promise.all([
    tryDiagnosis(context, id),
    examineDelivery(context, { id }),
  ]);
  return { read, acceptance };
}

export type Diagnosis = Awaited<ReturnType<typeof readDiagnosis>>;

/**
 * Waits for a diagnosis for a moment, so that the page has it from the start and nothing moves.
 * `early` is null if it takes longer, because nothing explains the delivery.
 */
export async function beginDiagnosis(
  context: ServiceContext,
  id: string,
): Promise<{
  readonly early: Diagnosis | null;
  readonly whole: Promise<Diagnosis>;
}> {
  const whole = readDiagnosis(context, id);
  return { early: await withTimeLimit(whole, momentMs, () => null), whole };
}

const momentMs = 400;

/** If the diagnosis is busy, it says so, and the rest of the page stays. */
async function tryDiagnosis(context: ServiceContext, id: string) {
  try {
    return { ok: true, ...(await diagnoseDelivery(context, { id })) } as const;
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message } as const;
    throw error;
  }
}
