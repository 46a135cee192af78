import { unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Role } from "#lib/core/env/setting.ts";
import { childSpec } from "#server/supervise/child-spec.ts";
import type { Supervisor } from "#server/supervise/supervisor.ts";
import { readPreviousKey, resolveSecretKey } from "#server/system/secret-key.ts";

export type KeyPair = {
  readonly secretKey: string;
  readonly previousSecretKey: string | undefined;
};

/**
 * Calls `onChange` when `rotate-key` has replaced the key in the data folder. The file is looked at
 * once a second: a signal would need a process id, which may belong to another process in a container.
 */
export function followKeys(
  folder: string,
  firstKey: string,
  onChange: (keys: KeyPair) => Promise<void>,
): { stop(): void } {
  const path = join(folder, "secret-key");
  let known = firstKey;
  let changing = Promise.resolve();
  const look = (): void => {
    const secretKey = resolveSecretKey(folder, undefined, true);
    if (secretKey === known) return;
    known = secretKey;
    const keys = { secretKey, previousSecretKey: readPreviousKey(folder) };
    changing = changing.then(() => onChange(keys)).catch(warn);
  };
  const lookSafely = (): void => {
    try {
      look();
    } catch (error) {
      // A file that is missing or damaged changes nothing for the processes that run.
      warn(error);
    }
  };
  watchFile(path, { interval: 1_000, persistent: false }, lookSafely);
  // It may have been replaced before, while the processes started.
  lookSafely();
  return { stop: () => unwatchFile(path, lookSafely) };
}

function warn(error: unknown): void {
  log.error("secret_key.not_followed", { error: toError(error) });
}

/**
 * Gives every process both keys. The dashboard is down until the others have them: it seals most
 * secrets, and a process that knows only the old key couldn't open what it seals with the new one.
 */
export async function restartWithKeys(
  supervisor: Supervisor,
  env: Parameters<typeof childSpec>[1],
  roles: ReadonlySet<Role>,
  catchNames: readonly string[],
): Promise<void> {
  log.info("secret_key.changed");
  const others = [
    ...(roles.has("catch") ? catchNames.map((name) => childSpec("catch", env, name)) : []),
    ...(roles.has("worker") ? [childSpec("worker", env)] : []),
  ];
  const restartOthers = async (): Promise<void> => {
    // One after the other, so that with several catch processes the port stays open. One that isn't
    // ready in time keeps none of the others from the new key.
    for (const other of others) await supervisor.restart(other).catch(warn);
  };
  if (roles.has("web")) await supervisor.restart(childSpec("web", env), restartOthers);
  else await restartOthers();
}
