import { countEdits } from "#lib/base/count-edits.ts";
import { toAdminEnv } from "./admin-settings.ts";
import { toArchiveEnv } from "./archive-settings.ts";
import { toMailEnv } from "./mail-settings.ts";
import { toOidcEnv } from "./oidc-settings.ts";
import type { Group, Settings, Values } from "./setting.ts";
import { settingGroups, settings } from "./settings.ts";
import { toSpoolEnv } from "./spool-settings.ts";
import { toTracesEnv } from "./traces-settings.ts";

/**
 * All environment variables, by the table in `settings.ts`. Only `server/*` and what starts the web
 * process read them, with `readEnv`. Everything else gets values as arguments.
 */
export type Env = ReturnType<typeof toEnv>;

export type EnvProblem = { readonly variable: string; readonly message: string };
type EnvResult = { ok: true; env: Env } | { ok: false; problems: readonly EnvProblem[] };

type Source = Readonly<Record<string, string | undefined>>;

/** The ports of this server, which actions must not call. */
export function listOwnPorts({ port, monitoring: { metricsPort } }: Env): readonly number[] {
  return metricsPort === undefined ? [port] : [port, metricsPort];
}

/** True if processes count what they do. */
export function isMeasured({ metricsPort, metricsToken }: Env["monitoring"]): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}

/** Pure. Empty values count as unset. */
export function parseEnv(source: Source): EnvResult {
  const { values, invalid } = readValues(source);
  const problems = invalid.length > 0 ? invalid : checkValues(values);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, env: toEnv(values) };
}

/** One sentence for each invalid variable. Never contains the value, which may be secret. */
export function describeEnvProblems(problems: readonly EnvProblem[]): string {
  return problems.map(({ variable, message }) => `${variable} ${message}.`).join("\n");
}

/** Unknown CATCHMENT_ variables, each with the most similar known name, to catch typos. */
export function findUnknownVariables(
  source: Source,
): readonly { readonly variable: string; readonly meant: string | null }[] {
  return Object.keys(source)
    .filter((name) => name.startsWith("CATCHMENT_") && !variableNames.includes(name))
    .map((variable) => ({ variable, meant: findSimilar(variable) }));
}

function findSimilar(variable: string): string | null {
  const own = variable.slice("CATCHMENT_".length);
  // Some settings have the names that other programs have too, such as PORT.
  if (variableNames.includes(own)) return own;
  const [nearest] = variableNames
    .map((name) => ({ name, distance: countEdits(name, variable) }))
    .toSorted((one, other) => one.distance - other.distance);
  const limit = Math.min(4, own.length / 3);
  return nearest !== undefined && nearest.distance <= limit ? nearest.name : null;
}

export const variableNames: readonly string[] = settings.map(({ name }) => name);

type Groups = typeof settingGroups;
type GroupValues = { readonly [G in keyof Groups]: Values<Groups[G]["settings"]> };

function readValues(source: Source): { values: GroupValues; invalid: readonly EnvProblem[] } {
  const invalid: EnvProblem[] = [];
  const readGroup = (group: Settings) =>
    Object.entries(group).map(([key, { name, value }]) => {
      const text = source[name];
      const parsed = value.safeParse(text?.trim() === "" ? undefined : text);
      for (const { message } of parsed.error?.issues ?? [])
        invalid.push({ variable: name, message });
      return [key, parsed.data] as const;
    });
  const values = Object.entries(settingGroups).map(
    ([key, group]) => [key, Object.fromEntries(readGroup(group.settings))] as const,
  );
  return { values: Object.fromEntries(values) as GroupValues, invalid };
}

function checkValues(values: GroupValues): EnvProblem[] {
  const { server, monitoring } = values;
  const problems = Object.entries(settingGroups).flatMap(([key, group]: [string, Group]) =>
    Object.entries(group.check?.(values[key as keyof Groups]) ?? {}).flatMap(([field, message]) => {
      const variable = group.settings[field]?.name ?? "";
      return message ? [{ variable, message }] : [];
    }),
  );
  if (monitoring.metricsPort === server.port)
    problems.push({
      variable: "CATCHMENT_METRICS_PORT",
      message: "must be another port than PORT",
    });
  return problems;
}

function toEnv({ server, monitoring, internal, ...others }: GroupValues) {
  return {
    ...server,
    /** The origin of every catch URL, without a trailing slash. */
    publicUrl: server.publicUrl ?? `http://localhost:${server.port}`,
    /** Whether it was configured. If so, requests to other host names are rejected. */
    isPublicUrlGiven: server.publicUrl !== undefined,
    admin: toAdminEnv(others.admin),
    spool: toSpoolEnv(others.spool, server.dataDir),
    archive: toArchiveEnv(others.archive),
    mail: toMailEnv(others.mail),
    monitoring,
    traces: toTracesEnv(others.traces),
    oidc: toOidcEnv(others.oidc),
    internal,
  };
}
