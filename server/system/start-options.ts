import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";

export const roles = ["web", "catch", "worker"] as const;
export type Role = (typeof roles)[number];

export type StartOptions = {
  readonly roles: ReadonlySet<Role>;
  readonly log: "json" | "pretty" | undefined;
};

/** `[--role web|catch|worker]… [--log json|pretty]`. Without `--role`, all of them. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { role, log } = parse(args);
  const wrong = role.find((name) => !isRole(name));
  if (wrong !== undefined)
    throw new StartError(`--role must be web, catch or worker, not ${wrong}.`);
  if (log !== undefined && log !== "json" && log !== "pretty") {
    throw new StartError(`--log must be json or pretty, not ${log}.`);
  }
  return { roles: new Set(role.length === 0 ? roles : role.filter(isRole)), log };
}

function parse(args: readonly string[]): { role: string[]; log: string | undefined } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { role: { type: "string", multiple: true }, log: { type: "string" } },
    });
    return { role: values.role ?? [], log: values.log };
  } catch {
    throw new StartError(
      `Unknown options: ${args.join(" ")}. Use --role web|catch|worker (repeatable) and --log json|pretty.`,
    );
  }
}

function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}
