import { parseArgs } from "node:util";
import type { LogFormat } from "#lib/base/log.ts";
import { maxCatchProcesses } from "#lib/core/env/server-settings.ts";
import { type Role, roles } from "#lib/core/env/setting.ts";
import { StartError } from "./start-error.ts";

export type StartOptions = {
  readonly roles: ReadonlySet<Role>;
  readonly log: LogFormat | undefined;
  readonly catchProcesses: number | undefined;
};

/**
 * `[--role web|catch|worker]… [--log json|pretty] [--catch-processes N]`. Without `--role`, all of
 * them.
 */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { role, log, catchProcesses } = parse(args);
  const wrong = role.find((name) => !isRole(name));
  if (wrong !== undefined)
    throw new StartError(`--role must be web, catch or worker, not ${wrong}.`);
  if (log !== undefined && log !== "json" && log !== "pretty") {
    throw new StartError(`--log must be json or pretty, not ${log}.`);
  }
  return {
    roles: new Set(role.length === 0 ? roles : role.filter(isRole)),
    log,
    catchProcesses: readCatchProcesses(catchProcesses),
  };
}

function readCatchProcesses(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= maxCatchProcesses) return count;
  throw new StartError(
    `--catch-processes must be a whole number from 1 to ${maxCatchProcesses}, not ${text}.`,
  );
}

type Given = {
  readonly role: string[];
  readonly log: string | undefined;
  readonly catchProcesses: string | undefined;
};

function parse(args: readonly string[]): Given {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        role: { type: "string", multiple: true },
        log: { type: "string" },
        "catch-processes": { type: "string" },
      },
    });
    const { role = [], log, "catch-processes": catchProcesses } = values;
    return { role, log, catchProcesses };
  } catch {
    throw new StartError(
      `Unknown options: ${args.join(" ")}. Use --role web|catch|worker ` +
        "(repeatable), --log json|pretty, and --catch-processes N.",
    );
  }
}

function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}
