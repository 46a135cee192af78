import type { SpoolEnv } from "#lib/core/env/spool-env.ts";
import type { Env } from "#lib/env.ts";
import { errorCode } from "#lib/errors.ts";
import { BrokerError } from "#lib/spool/broker-error.ts";
import { type SetAside, type VisitSetAside, visitSetAside } from "#lib/spool/set-aside.ts";
import { StartError } from "#server/system/start-error.ts";

export function requireSpool({ spool }: Env): SpoolEnv {
  if (spool !== undefined) return spool;
  throw new StartError("There is no spool: set CATCHMENT_SPOOL_URL as at the start.");
}

/** Visits what is set aside. Says in one sentence if it can't be read. */
export async function visitItems(spool: SpoolEnv, visit: VisitSetAside): Promise<void> {
  await withFolderErrors(spool, async () => {
    try {
      await visitSetAside(spool, visit);
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      throw new StartError(`The spool's broker can't be used: ${error.message}.`);
    }
  });
}

/** Says in one sentence if the spool's folder can't be used. */
export async function withFolderErrors(
  { folder }: SpoolEnv,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    throw new StartError(
      `The spool's folder ${folder} can't be used by this user: run this as the user that starts Catchment.`,
    );
  }
}

export function describeItem({ name, bytes, delivery, fault }: SetAside): string {
  if (delivery === null) return `${name}: ${fault}, ${bytes} bytes`;
  const { id, hookId, receivedAtMs } = delivery;
  return `${id}: of hook ${hookId}, received ${new Date(receivedAtMs).toISOString()}, ${bytes} bytes`;
}
