import { PrismaPg } from "@prisma/adapter-pg";
import { requireDatabaseUrl } from "#lib/core/env/database-url.ts";
import { HostClient } from "./hosts/host-client.ts";
import { poolOpened } from "./pool-signal.ts";

export type DatabaseOptions = {
  /** postgresql:// URL. */
  readonly url: string;
  /**
   * Maximum number of connections. The catch path, the worker, and the dashboard each have their
   * own pool.
   */
  readonly poolSize: number;
  /** The number of connections that stay open once they are. Default: 0. */
  readonly minConnections?: number;
  /** The name shown in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * The maximum duration of a statement, in milliseconds. A slower one is canceled. Default:
   * 10,000.
   */
  readonly statementTimeoutMs?: number;
  /**
   * The maximum time to get a connection, in milliseconds. Default: 2,000, early enough to respond
   * with 503.
   */
  readonly connectTimeoutMs?: number;
  /** PostgreSQL settings of every connection, such as `queueSettings`. */
  readonly settings?: Readonly<Record<string, string>>;
};

export const defaultConnectTimeoutMs = 2_000;

/** Prisma's adapter for PostgreSQL with a pool. Connects with the first statement. */
export function createPrismaAdapter(options: DatabaseOptions): PrismaPg {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const { applicationName: name } = options;
  return new ReportingAdapter(
    name,
    {
      connectionString: withSettings(options.url, options.settings ?? {}),
      max: options.poolSize,
      min: options.minConnections ?? 0,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // The socket itself can hang (a half-open connection). Then the driver gives up a little
      // later.
      query_timeout: statementTimeoutMs + 2_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      Client: HostClient,
    } as ConstructorParameters<typeof PrismaPg>[0],
    {
      statementNameGenerator: createStatementNames(),
      schema: requireDatabaseUrl(options.url).schema,
    },
  );
}

/**
 * Our statements are written for READ COMMITTED. With a stricter default, one delivery in twenty
 * was rejected under load (40001). The adapter reads every timestamp as UTC and ISO, so both are
 * set, regardless of the server's defaults.
 */
const ownSettings = {
  timezone: "UTC",
  datestyle: "ISO",
  default_transaction_isolation: "read\\ committed",
};

/** Adds settings to the options of the URL, which may have several hosts. */
function withSettings(databaseUrl: string, settings: Readonly<Record<string, string>>): string {
  const flags = Object.entries({ ...ownSettings, ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  );
  const [start = "", ...query] = databaseUrl.split("?");
  const params = new URLSearchParams(query.join("?"));
  const own = params.get("options");
  params.set("options", [...(own === null ? [] : [own]), ...flags].join(" "));
  // `+` for a space is form encoding. libpq and pg only decode percent signs.
  return `${start}?${params.toString().replaceAll("+", "%20")}`;
}

/** Reports its pool, for metrics. */
class ReportingAdapter extends PrismaPg {
  readonly #name: string;

  constructor(name: string, ...args: ConstructorParameters<typeof PrismaPg>) {
    super(...args);
    this.#name = name;
  }

  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    if (poolOpened.isHeard)
      poolOpened.send({ name: this.#name, counts: adapter.underlyingDriver() });
    return adapter;
  }
}

const maxPreparedStatements = 300;

/**
 * Prepared statements make the hot statements fast. Each connection keeps every one for its
 * lifetime, so their number is limited. Later statements run unprepared.
 */
function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= maxPreparedStatements) return "";
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
