import { resolve } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import type { SpoolEnv } from "#lib/core/env/spool-settings.ts";
import { BrokerError } from "#lib/spool/broker-error.ts";
import { deriveRecordKeys } from "#lib/spool/records/record-keys.ts";
import { UnsignedFiles } from "#lib/spool/records/unsigned-files.ts";
import { type SetAside, type VisitSetAside, visitSetAside } from "#lib/spool/set-aside.ts";
import { StartError } from "#server/system/start-error.ts";
import { requireSealer } from "../frame/audit-command.ts";
import { findPreviousKey, findSecretKey } from "../frame/secret-key-of.ts";

export function requireSpool({ spool }: Env): SpoolEnv {
  if (spool !== undefined) return spool;
  throw new StartError("There is no spool: set CATCHMENT_SPOOL_URL as at the start.");
}

/**
 * Visits what is set aside. Says in one sentence if it can't be read.
 *
 * @param trustsAll whether records without a signature count, no matter who wrote them
 */
export async function visitItems(
  env: Env,
  visit: VisitSetAside,
  { trustsAll }: { readonly trustsAll: boolean },
): Promise<void> {
  const spool = requireSpool(env);
  await withFolderErrors(spool, async () => {
    try {
      const { keys, sealer } = requireKeys(env);
      const unsigned = await UnsignedFiles.read(spool.folder, sealer);
      await visitSetAside({ ...spool, keys, unsigned, trustsAll }, visit);
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      throw new StartError(`The spool's broker can't be used: ${error.message}.`);
    }
  });
}

function requireKeys(env: Env) {
  const access = { folder: env.databaseUrl === undefined ? resolve(env.dataDir) : undefined };
  const sealer = requireSealer(env, access);
  const secretKey = findSecretKey(env, access) ?? "";
  const previousKey = findPreviousKey(env, access) ?? undefined;
  return { sealer, keys: deriveRecordKeys(secretKey, previousKey) };
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

/** A line for each delivery, or for what can't be read. */
export function describeItem({ name, bytes, deliveries, fault, keyId }: SetAside): string[] {
  if (fault !== null) return [`${name}: ${describeFault(fault, keyId)}, ${bytes} bytes`];
  return deliveries.map(({ id, hookId, receivedAtMs }) => {
    const size = deliveries.length === 1 ? `, ${bytes} bytes` : "";
    return `${id}: of hook ${hookId}, received ${new Date(receivedAtMs).toISOString()}${size}`;
  });
}

function describeFault(fault: NonNullable<SetAside["fault"]>, keyId: string | null): string {
  switch (fault) {
    case "damaged":
      return "damaged";
    case "cut_off":
      return "cut off before its end";
    case "unsigned":
      return "without a signature, so anyone may have written it (--unsigned trusts it)";
    case "unknown_key":
      return `signed with the key ${keyId}, which isn't CATCHMENT_SECRET_KEY or CATCHMENT_PREVIOUS_SECRET_KEY`;
    case "other_version":
      return "of another version of Catchment";
    default:
      return fault satisfies never;
  }
}
