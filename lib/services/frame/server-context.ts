import { oncePerProcess } from "#lib/base/once.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { deriveSessionSecret } from "#lib/core/people/sign-in/session-cookie.ts";
import { maskDatabase } from "#lib/db/masking/masked-database.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { type DatabaseDisk, openDatabaseDisk } from "#lib/db/postgres/database-disk.ts";
import { customPlans } from "#lib/db/postgres/plan-settings.ts";
import { readEnv } from "#lib/env.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { type Actor, maskedFieldsOf } from "#lib/services/frame/actor.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The parts that the dashboard and the REST API share: one of each in the web process. */
export type ServerContext = {
  readonly env: Env;
  /**
   * The web process has its own pool: a busy dashboard takes no connection from the catch path or
   * the worker.
   */
  readonly db: Database;
  readonly sealer: Sealer;
  /** The disk of the embedded database; null with an external one. */
  readonly disk: DatabaseDisk | null;
  /**
   * The secret that encrypts session cookies. It is independent of the key that seals the database.
   */
  readonly sessionSecret: string;
  /** True if browsers reach us by https, so that cookies can require it. */
  readonly isHttps: boolean;
};

/** Opened at the first request, never by `next build`. */
export const serverContext = oncePerProcess("catchmentServerContext", () =>
  openServerContext(readEnv()),
);

/**
 * The context of a service for this actor.
 *
 * @param request for what the audit log records
 */
export function serviceContext(actor: Actor, request?: RequestOrigin): ServiceContext {
  const { db, sealer, env } = serverContext();
  const seen = maskedDatabase(db, maskedFieldsOf(actor));
  return { db: seen, sealer, env, actor, now: () => new Date(), ...(request && { request }) };
}

/**
 * The database of someone who sees these fields masked. The same fields have the same database, by
 * which their viewers share feeds of lists.
 */
function maskedDatabase(db: Database, fields: readonly string[]): Database {
  if (fields.length === 0) return db;
  const key = JSON.stringify(fields);
  const known = maskedDatabases.get(key);
  if (known?.of === db) return known.masked;
  const masked = maskDatabase(db, fields);
  if (maskedDatabases.size >= maxMaskedDatabases) maskedDatabases.clear();
  maskedDatabases.set(key, { of: db, masked });
  return masked;
}

const maskedDatabases = new Map<string, { readonly of: Database; readonly masked: Database }>();
/** The number of accounts with viewers and other fields. Beyond it, the databases are made again. */
const maxMaskedDatabases = 200;

const poolSize = 8;
/** On a busy machine, a slow page is better than an error page. */
const connectTimeoutMs = 8_000;

export function openServerContext(env: Env): ServerContext {
  const { databaseUrl, secretKey } = env;
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new Error(
      "DATABASE_URL and CATCHMENT_SECRET_KEY are set by server/start/start.ts for the web process",
    );
  }
  const sealer = openSealer(secretKey, env.previousSecretKey);
  return {
    env,
    db: createDatabase({
      url: databaseUrl,
      settings: customPlans,
      poolSize,
      connectTimeoutMs,
      // A rotation of the key looks for processes that still use another one.
      minConnections: 1,
      applicationName: `catchment web ${sealer.keyId}`,
    }),
    sealer,
    disk: openDatabaseDisk(env.internal.databaseFolder, env.minFreeDiskBytes),
    sessionSecret: deriveSessionSecret(secretKey),
    isHttps: env.publicUrl.startsWith("https://"),
  };
}
