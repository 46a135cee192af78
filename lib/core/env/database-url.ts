import { type QueryPair, writeDriverQuery } from "./database-query.ts";

/** One server that may be the database. */
export type DatabaseHost = {
  /** An ordinary URL with this host alone, so that TLS verifies its own name. */
  readonly url: string;
  /** A name, an address, or the folder of a socket. Empty: the driver's default. */
  readonly host: string;
  readonly port: number;
  /** For people: `host:port`, or the folder of a socket. Has no password. */
  readonly name: string;
};

export type DatabaseUrl = {
  /** In the order in which they are asked. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  /** Whether a connection has to find a writable server first. False: there is only one to take. */
  readonly isChecked: boolean;
  readonly database: string;
  readonly user: string;
  /** The schema of the tables, which is in the hosts' URLs as their search path. */
  readonly schema: string;
};

type DatabaseUrlResult =
  | ({ readonly ok: true } & DatabaseUrl)
  /** The error, as the end of a sentence. Never contains the URL, which has a password. */
  | { readonly ok: false; readonly message: string };

const maxHosts = 16;
const general =
  "must be a PostgreSQL URL, like postgresql://user:password@host:5432/database, or with several " +
  "hosts, postgresql://user:password@host1:5432,host2:5432/database";

/**
 * Reads a PostgreSQL URL with one or several hosts, as libpq defines it (manual §34.1.1.3): hosts and
 * ports before the path, or as `host` and `port` in the query. Each host has its own port, or all of
 * them have the only one. The driver reads one host only.
 */
export function readDatabaseUrl(text: string): DatabaseUrlResult {
  const parts = split(text.trim().replaceAll(" ", "%20"));
  if (parts === null) return { ok: false, message: describeMistake(text.trim()) };
  const attributes = parts.query.get("target_session_attrs") ?? "any";
  if (!["any", "read-write", "primary"].includes(attributes))
    return {
      ok: false,
      message:
        "has a target_session_attrs other than read-write, primary, or any: Catchment writes",
    };
  const written = writeDriverQuery(parts.pairs);
  if (!written.ok) return written;
  const { query, schema } = written;
  const listed = listHosts(parts);
  if (!listed.ok) return listed;
  const [first, ...others] = listed.hosts.map((host) =>
    toHost({ ...parts, pairs: query }, host, listed.hosts.length),
  );
  if (first === undefined || ![first, ...others].every(({ url }) => URL.canParse(url)))
    return { ok: false, message: general };
  const { pathname, username } = new URL(first.url);
  return {
    ok: true,
    hosts: [first, ...others],
    isChecked: others.length > 0 || attributes !== "any",
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    schema,
  };
}

/** The usual mistakes: passwords as they are, and quotes that a file of variables keeps. */
function describeMistake(text: string): string {
  if (/^["'`]/.test(text)) return "is in quotes: remove them";
  const userInfo = /^postgres(?:ql)?:\/\/(.*)@/is.exec(text)?.[1] ?? "";
  if (/[/?#]|%(?![0-9a-f]{2})/i.test(userInfo))
    return (
      "has a character in its password that has a meaning in URLs: write # as %23, / as %2F, " +
      "? as %3F, and % as %25"
    );
  return general;
}

/** The same for a URL that was checked when the program started. */
export function requireDatabaseUrl(text: string): DatabaseUrl {
  const result = readDatabaseUrl(text);
  if (!result.ok) throw new Error(`The database's URL ${result.message}.`);
  return result;
}

type Parts = {
  /** `postgresql://user:password@` */
  readonly start: string;
  readonly authority: string;
  /** `/database` */
  readonly path: string;
  readonly pairs: readonly QueryPair[];
  readonly query: ReadonlyMap<string, string>;
};

/** A password may contain an `@`: the last one ends it. */
const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(\/[^?#]+)(?:\?([^#]*))?(?:#.*)?$/i;

function split(text: string): Parts | null {
  const [, start, authority = "", path = "", queryText = ""] = shape.exec(text) ?? [];
  // A password with a slash looks like a host, and the rest of it like the database's name.
  if (start === undefined || path.includes("@")) return null;
  try {
    const pairs = queryText.split("&").flatMap((raw) => {
      const [name = "", ...value] = raw.split("=");
      if (raw === "") return [];
      return { name: decodeURIComponent(name), value: decodeURIComponent(value.join("=")), raw };
    });
    const query = new Map(pairs.map(({ name, value }) => [name, value]));
    decodeURIComponent(start + path);
    return { start, authority, path, pairs, query };
  } catch {
    // A percent sign that isn't followed by two digits.
    return null;
  }
}

/** Without brackets or percent signs. Null: the driver's default port. */
type NamedHost = { readonly host: string; readonly port: string | null };
type Listed =
  | { readonly ok: true; readonly hosts: readonly NamedHost[] }
  | { readonly ok: false; readonly message: string };

function listHosts({ authority, query }: Parts): Listed {
  const inQuery = query.get("host");
  const hosts =
    inQuery === undefined || inQuery === ""
      ? authority.split(",").map(readHost)
      : inQuery.split(",").map((host, at) => ({ host, port: portAt(authority, at) }));
  if (hosts.some((host) => host === null)) return { ok: false, message: general };
  const named = hosts.filter((host) => host !== null);
  if (named.length > maxHosts) return { ok: false, message: `has more than ${maxHosts} hosts` };
  if (named.length > 1 && named.some(({ host }) => host === ""))
    return { ok: false, message: "has an empty name in its list of hosts" };
  const ports = query.get("port")?.split(",") ?? named.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== named.length)
    return {
      ok: false,
      message: `has ${ports.length} ports for ${named.length} hosts: give one for all, or one for each`,
    };
  if (ports.some((port) => port !== null && port !== "" && !isPort(port)))
    return { ok: false, message: "has a port that isn't a number from 1 to 65535" };
  const complete = named.map(({ host }, at) => ({
    host,
    port: (ports.length === 1 ? ports[0] : ports[at]) || null,
  }));
  const names = new Set(complete.map(({ host, port }) => `${host} ${port ?? defaultPort}`));
  if (names.size < complete.length) return { ok: false, message: "names a host twice" };
  return { ok: true, hosts: complete };
}

function readHost(text: string): NamedHost | null {
  const match = /^(?:\[([0-9a-f:.%]+)\]|([^:[\]]*))(?::([^:]*))?$/i.exec(text);
  if (match === null) return null;
  const [, address, name = "", port = null] = match;
  return { host: address ?? decodeURIComponent(name), port };
}

/** The port of the only authority that stands beside `host` in the query. */
function portAt(authority: string, at: number): string | null {
  const ports = authority.split(",").map((text) => readHost(text)?.port ?? null);
  return (ports.length === 1 ? ports[0] : ports[at]) ?? null;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function toHost(parts: Parts, { host, port }: NamedHost, count: number): DatabaseHost {
  const isSocket = host.startsWith("/");
  const name = isSocket ? host : `${bracket(host || "localhost")}:${port ?? defaultPort}`;
  const { start, authority, path, pairs } = parts;
  const url =
    count === 1
      ? `${start}${authority}${path}${writeQuery(pairs)}`
      : withHost(parts, { host, port });
  return { url, host, port: Number(port ?? defaultPort), name };
}

function withHost({ start, path, pairs }: Parts, { host, port }: NamedHost): string {
  const rest = writeQuery(pairs.filter(({ name }) => name !== "host" && name !== "port"));
  const suffix = port === null ? "" : `:${port}`;
  if (!host.startsWith("/")) return `${start}${bracket(host)}${suffix}${path}${rest}`;
  const folder = `host=${encodeURIComponent(host)}`;
  return `${start}localhost${suffix}${path}${rest === "" ? `?${folder}` : `${rest}&${folder}`}`;
}

/** An address of IPv6 has colons of its own. */
function bracket(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function writeQuery(pairs: readonly QueryPair[]): string {
  return pairs.length === 0 ? "" : `?${pairs.map(({ raw }) => raw).join("&")}`;
}

const defaultPort = "5432";
