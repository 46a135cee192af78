import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SpoolEnv } from "#lib/core/env/spool-settings.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { DatabaseDisk } from "#lib/db/postgres/database-disk.ts";
import { FileSpool } from "./file-spool.ts";
import { KeptHooks } from "./hooks/kept-hooks.ts";
import type { RecordKeys } from "./records/record-keys.ts";
import { UnsignedFiles } from "./records/unsigned-files.ts";
import { signAsideAgain } from "./set-aside.ts";
import type { Spool } from "./spool.ts";

export type OpenSpool = { readonly spool: Spool; readonly hooks: KeptHooks };

type Options = {
  readonly sealer: Sealer;
  readonly keys: RecordKeys;
  /** The number of processes that share its limit. */
  readonly processes: number;
  readonly minFreeBytes: number;
};

/** Opens the spool of a process that catches, with what an earlier one left in it. */
export async function openSpool(
  { folder, broker, maxBytes }: SpoolEnv,
  { sealer, keys, processes, minFreeBytes }: Options,
): Promise<OpenSpool> {
  const now = Date.now;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const hookFolder = join(folder, "hooks");
  const unsigned = await UnsignedFiles.open(folder, sealer, existsSync(hookFolder));
  const hooks = await KeptHooks.open({ folder: hookFolder, sealer, now });
  if (broker !== undefined) {
    // Its client is loaded only if there is one.
    const { BrokerSpool } = await import("./broker-spool.ts");
    const options = { broker, folder, maxBytes, processes, now, keys, unsigned };
    return { spool: await BrokerSpool.open(options), hooks };
  }
  await signAsideAgain(folder, keys);
  const disk = new DatabaseDisk({ folder, minFreeBytes });
  const options = { folder, maxBytes: maxBytes / processes, disk, now, keys, unsigned };
  return { spool: await FileSpool.open(options), hooks };
}
