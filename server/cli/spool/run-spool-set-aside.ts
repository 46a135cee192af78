import { existsSync } from "node:fs";
import { isId } from "#lib/base/ids.ts";
import { requestAside } from "#lib/spool/records/aside-requests.ts";
import { StartError } from "#server/system/start-error.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { requireSpool, withFolderErrors } from "./set-aside-items.ts";

/** Asks the running Catchment to set a delivery aside that it can't store. Until then, nothing changes. */
export async function runSpoolSetAside({
  operands: [deliveryId = ""],
  readEnv,
  output,
}: CommandInput): Promise<ExitCode> {
  const spool = requireSpool(readEnv());
  if (!isId(deliveryId))
    throw new StartError("DELIVERY must be the deliveryId of spool.held_up in the log.");
  if (!existsSync(spool.folder))
    throw new StartError(`There is no folder ${spool.folder}: run this on a machine that catches.`);
  await withFolderErrors(spool, () => requestAside(spool.folder, deliveryId));
  output.result(
    `${deliveryId} is set aside the next time that this machine can't store it. Until then, it keeps its place.`,
  );
  return 0;
}
