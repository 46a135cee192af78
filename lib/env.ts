import { z } from "zod";
import { countEdits } from "#lib/base/count-edits.ts";
import {
  type AdminEnv,
  adminVariables,
  requireWholeOwner,
  toAdminEnv,
} from "#lib/core/env/admin-env.ts";
import {
  type ArchiveEnv,
  archiveVariables,
  requireWholeArchive,
  toArchiveEnv,
} from "#lib/core/env/archive-env.ts";
import { isOrigin, networkList, postgresUrl, wholeNumber } from "#lib/core/env/env-fields.ts";
import {
  type MailEnv,
  mailVariables,
  requireWholeMail,
  toMailEnv,
} from "#lib/core/env/mail-env.ts";
import {
  type MonitoringEnv,
  monitoringVariables,
  toMonitoringEnv,
} from "#lib/core/env/monitoring-env.ts";
import {
  type OidcEnv,
  oidcVariables,
  requireWholeOidc,
  toOidcEnv,
} from "#lib/core/env/oidc-env.ts";
import { requireSecretKey, secretKeyVariables } from "#lib/core/env/secret-key-env.ts";
import { type SpoolEnv, spoolVariables, toSpoolEnv } from "#lib/core/env/spool-env.ts";
import { type TracesEnv, toTracesEnv, tracesVariables } from "#lib/core/env/traces-env.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";

/**
 * All environment variables, parsed once. Only `server/*`, `lib/web`, and the database client read
 * them. Everything else gets values as arguments. A test keeps `.env.example` in sync.
 */
export type Env = {
  readonly port: number;
  readonly host: string;
  /** The origin of every catch URL, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether it was configured. If so, requests to other host names are rejected. */
  readonly isPublicUrlGiven: boolean;
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: read from the data folder, or created there on first start. */
  readonly secretKey: string | undefined;
  /** The key before it, during a rotation: it opens secrets, and seals none. */
  readonly previousSecretKey: string | undefined;
  readonly admin: AdminEnv | undefined;
  readonly maxBodyBytes: number;
  /** How many processes catch deliveries. Undefined: depends on the number of cores. */
  readonly catchProcesses: number | undefined;
  /** Requests per second to one hook without its own rate; 0: no limit. */
  readonly hookRatePerSecond: number;
  /** Requests per second from one address (or IPv6 /64) to catch URLs; 0: no limit. */
  readonly clientRatePerSecond: number;
  /** Older deliveries are deleted. 0: keep everything. */
  readonly retentionDays: number;
  /** The most of a rejected delivery's body that is stored. */
  readonly rejectedBodyBytes: number;
  /** Bytes that a hook's rejected deliveries may store in a day with bodies, and again without. */
  readonly rejectedBytesPerDay: number;
  /** Older rejected deliveries are deleted, before the others. 0: with the others. */
  readonly rejectedRetentionDays: number;
  /** Older entries of audit logs are deleted. 0: keep everything. */
  readonly auditRetentionDays: number;
  /** Minimum free disk space of the embedded database, and of the spool. Below it, deliveries are rejected. */
  readonly minFreeDiskBytes: number;
  /** Undefined: while the database is away, deliveries are rejected. */
  readonly spool: SpoolEnv | undefined;
  /** Undefined: weeks are dropped without an archive. */
  readonly archive: ArchiveEnv | undefined;
  /** Idle time after which the dashboard process stops until the next request. 0: never. */
  readonly webSleepAfterSeconds: number;
  /** Private networks that actions may call. */
  readonly egressAllow: AllowList;
  /** Private networks that receivers entered in the portal may be in. */
  readonly portalEgressAllow: AllowList;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: AllowList;
  /** Undefined: Catchment sends no email. */
  readonly mail: MailEnv | undefined;
  readonly monitoring: MonitoringEnv;
  /** Undefined: there are no traces. */
  readonly traces: TracesEnv | undefined;
  /** Undefined: there is no identity provider. */
  readonly oidc: OidcEnv | undefined;
  readonly internal: InternalEnv;
};

/** Set by `server/start/start.ts` for its child processes. Not for users. */
type InternalEnv = {
  /** Unix socket between the catch listener, which owns the port, and the web process. */
  readonly webSocket: string | undefined;
  /** Unix socket on which the worker takes runs from the catch processes. */
  readonly handOffSocket: string | undefined;
  /** Data folder of the embedded PostgreSQL. Undefined: external database. */
  readonly databaseFolder: string | undefined;
  /** Health port of a worker that runs without the other roles. */
  readonly healthPort: number | undefined;
  readonly log: "json" | "pretty";
};

export type EnvProblem = { readonly variable: string; readonly message: string };
type EnvResult = { ok: true; env: Env } | { ok: false; problems: readonly EnvProblem[] };

/** The ports of this server, which actions must not call. */
export function listOwnPorts({ port, monitoring: { metricsPort } }: Env): readonly number[] {
  return metricsPort === undefined ? [port] : [port, metricsPort];
}

/** Pure. Empty values count as unset. */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): EnvResult {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value?.trim() !== ""),
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      variable: String(issue.path[0] ?? ""),
      message: issue.message,
    }));
    return { ok: false, problems };
  }
  const v = parsed.data;
  const problems = [
    ...requireSecretKey(v),
    ...requireWholeOwner(v),
    ...requireWholeMail(v),
    ...requireOwnPort(v),
    ...requireWholeOidc(v),
    ...requireWholeArchive(v),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, env: toEnv(v) };
}

/** One sentence for each invalid variable. Never contains the value, which may be secret. */
export function describeEnvProblems(problems: readonly EnvProblem[]): string {
  return problems.map(({ variable, message }) => `${variable} ${message}.`).join("\n");
}

/** Unknown CATCHMENT_ variables, each with the most similar known name, to catch typos. */
export function findUnknownVariables(
  source: Readonly<Record<string, string | undefined>>,
): readonly { readonly variable: string; readonly meant: string | null }[] {
  return Object.keys(source)
    .filter((name) => name.startsWith("CATCHMENT_") && !variableNames.includes(name))
    .map((variable) => ({ variable, meant: findSimilar(variable) }));
}

function findSimilar(variable: string): string | null {
  const own = variable.slice("CATCHMENT_".length);
  // Some settings have the names that other programs have too, such as PORT.
  if (variableNames.some((name) => name === own)) return own;
  const [nearest] = variableNames
    .map((name) => ({ name, distance: countEdits(name, variable) }))
    .toSorted((one, other) => one.distance - other.distance);
  const limit = Math.min(4, own.length / 3);
  return nearest !== undefined && nearest.distance <= limit ? nearest.name : null;
}

let parsedEnv: Env | undefined;

/**
 * The environment of this process. Throws if it is invalid, which `server/start/start.ts` checks
 * first.
 */
export function readEnv(): Env {
  if (parsedEnv !== undefined) return parsedEnv;
  const result = parseEnv(process.env);
  if (!result.ok) throw new Error(describeEnvProblems(result.problems));
  parsedEnv = result.env;
  return parsedEnv;
}

// 100 MiB: a body is held in memory and bound as one parameter; PostgreSQL's own limit is 1 GiB.
const maxAllowedBodyBytes = 100 * 1024 * 1024;

/** Each has up to ten connections to the database. */
export const maxCatchProcesses = 16;

const variables = z.object({
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z
    .string()
    .regex(
      /^[A-Za-z0-9.:_-]+$/,
      "must be an IP address or a host name of this machine, like 127.0.0.1 or 0.0.0.0",
    )
    .default("127.0.0.1"),
  CATCHMENT_PUBLIC_URL: z
    .string()
    .refine(isOrigin, "must be an origin without a path, like https://hooks.example.com")
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: postgresUrl().optional(),
  CATCHMENT_DATA_DIR: z.string().default(".catchment"),
  ...secretKeyVariables,
  ...adminVariables,
  CATCHMENT_MAX_BODY_BYTES: wholeNumber(1, maxAllowedBodyBytes).default(10_485_760),
  CATCHMENT_CATCH_PROCESSES: wholeNumber(1, maxCatchProcesses).optional(),
  CATCHMENT_HOOK_RATE_PER_SECOND: wholeNumber(0, 100_000).default(1_000),
  CATCHMENT_CLIENT_RATE_PER_SECOND: wholeNumber(0, 100_000).default(1_000),
  CATCHMENT_RETENTION_DAYS: wholeNumber(0, 36_500).default(90),
  CATCHMENT_REJECTED_BODY_BYTES: wholeNumber(0, maxAllowedBodyBytes).default(65_536),
  CATCHMENT_REJECTED_BYTES_PER_DAY: wholeNumber(0, 100_000_000_000).default(16_777_216),
  CATCHMENT_REJECTED_RETENTION_DAYS: wholeNumber(0, 36_500).default(14),
  CATCHMENT_AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  CATCHMENT_MIN_FREE_DISK_BYTES: wholeNumber(0, 2 ** 50).default(536_870_912),
  ...spoolVariables,
  ...archiveVariables,
  CATCHMENT_WEB_SLEEP_AFTER_SECONDS: wholeNumber(0, 604_800).default(900),
  CATCHMENT_EGRESS_ALLOW: networkList().default([]),
  CATCHMENT_PORTAL_EGRESS_ALLOW: networkList().default([]),
  CATCHMENT_TRUSTED_PROXIES: networkList().default([]),
  ...mailVariables,
  ...monitoringVariables,
  ...tracesVariables,
  ...oidcVariables,
  CATCHMENT_WEB_SOCKET: z.string().optional(),
  CATCHMENT_HAND_OFF_SOCKET: z.string().optional(),
  CATCHMENT_DATABASE_FOLDER: z.string().optional(),
  CATCHMENT_HEALTH_PORT: wholeNumber(1, 65_535).optional(),
  CATCHMENT_LOG: z.enum(["json", "pretty"], "must be json or pretty").default("json"),
});

/** All variable names, for comparison with `.env.example`. */
export const variableNames = Object.keys(variables.shape);

type Variables = z.infer<typeof variables>;

function toEnv(v: Variables): Env {
  return {
    port: v.PORT,
    host: v.HOST,
    publicUrl: v.CATCHMENT_PUBLIC_URL ?? `http://localhost:${v.PORT}`,
    isPublicUrlGiven: v.CATCHMENT_PUBLIC_URL !== undefined,
    databaseUrl: v.DATABASE_URL,
    dataDir: v.CATCHMENT_DATA_DIR,
    secretKey: v.CATCHMENT_SECRET_KEY,
    previousSecretKey: v.CATCHMENT_PREVIOUS_SECRET_KEY,
    admin: toAdminEnv(v),
    maxBodyBytes: v.CATCHMENT_MAX_BODY_BYTES,
    catchProcesses: v.CATCHMENT_CATCH_PROCESSES,
    hookRatePerSecond: v.CATCHMENT_HOOK_RATE_PER_SECOND,
    clientRatePerSecond: v.CATCHMENT_CLIENT_RATE_PER_SECOND,
    retentionDays: v.CATCHMENT_RETENTION_DAYS,
    rejectedBodyBytes: v.CATCHMENT_REJECTED_BODY_BYTES,
    rejectedBytesPerDay: v.CATCHMENT_REJECTED_BYTES_PER_DAY,
    rejectedRetentionDays: v.CATCHMENT_REJECTED_RETENTION_DAYS,
    auditRetentionDays: v.CATCHMENT_AUDIT_RETENTION_DAYS,
    minFreeDiskBytes: v.CATCHMENT_MIN_FREE_DISK_BYTES,
    spool: toSpoolEnv(v),
    archive: toArchiveEnv(v),
    webSleepAfterSeconds: v.CATCHMENT_WEB_SLEEP_AFTER_SECONDS,
    egressAllow: v.CATCHMENT_EGRESS_ALLOW,
    portalEgressAllow: v.CATCHMENT_PORTAL_EGRESS_ALLOW,
    trustedProxies: v.CATCHMENT_TRUSTED_PROXIES,
    mail: toMailEnv(v),
    monitoring: toMonitoringEnv(v),
    traces: toTracesEnv(v),
    oidc: toOidcEnv(v),
    internal: {
      webSocket: v.CATCHMENT_WEB_SOCKET,
      handOffSocket: v.CATCHMENT_HAND_OFF_SOCKET,
      databaseFolder: v.CATCHMENT_DATABASE_FOLDER,
      healthPort: v.CATCHMENT_HEALTH_PORT,
      log: v.CATCHMENT_LOG,
    },
  };
}

function requireOwnPort(v: Variables): EnvProblem[] {
  if (v.CATCHMENT_METRICS_PORT !== v.PORT) return [];
  return [{ variable: "CATCHMENT_METRICS_PORT", message: "must be another port than PORT" }];
}
