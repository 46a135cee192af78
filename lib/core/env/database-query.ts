/** A parameter of a database URL: its decoded name and value, and how it is written. */
export type QueryPair = { readonly name: string; readonly value: string; readonly raw: string };

type DriverQuery =
  | {
      readonly ok: true;
      readonly query: readonly QueryPair[];
      /** The schema of the tables. */
      readonly schema: string;
    }
  /** The error, as the end of a sentence. */
  | { readonly ok: false; readonly message: string };

/**
 * Writes the parameters that the driver understands as libpq does (manual §34.1.2):
 *
 * - `sslmode`: `verify-ca` checks the chain alone, as managed databases need whose certificates have no
 *   host names. The weaker modes of libpq check everything, except for `disable`, the driver's own
 *   `no-verify`, and all of them with the driver's `uselibpqcompat`.
 * - `sslrootcert=system`: the authorities that Node knows.
 * - `schema`: Prisma's parameter for the schema of the tables. Default: `public`.
 */
export function writeDriverQuery(pairs: readonly QueryPair[]): DriverQuery {
  const ignored = findIgnored(pairs);
  if (ignored !== null) return fail(ignored);
  const read = (wanted: string) => pairs.findLast(({ name }) => name === wanted)?.value ?? "";
  const schema = read("schema") || "public";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    return fail("has a schema with other characters than a-z, 0-9, and _");
  const sslMode = read("sslmode");
  if (sslMode !== "" && !(sslMode in driverModes))
    return fail(`has an sslmode other than ${Object.keys(driverModes).join(", ")}`);
  const hasAuthority = !["", "system"].includes(read("sslrootcert"));
  if (sslMode === "verify-ca" && !hasAuthority)
    return fail(
      "has sslmode=verify-ca without a file in sslrootcert, so that anyone's certificate would do: " +
        "add it, or use sslmode=verify-full",
    );
  const isCompatible = read("uselibpqcompat") !== "";
  const query = pairs.flatMap((pair) => {
    if (pair.name === "target_session_attrs" || pair.name === "schema") return [];
    if (pair.name === "sslrootcert" && !hasAuthority) return [];
    if (pair.name === "sslmode" && !isCompatible) return driverModes[pair.value] ?? [];
    return [pair];
  });
  return { ok: true, query: schema === "public" ? query : withSearchPath(query, schema), schema };
}

/** Parameters that the driver would pass over: the connection would be unencrypted, or the tables elsewhere. */
function findIgnored(pairs: readonly QueryPair[]): string | null {
  for (const [at, { name, value }] of pairs.entries()) {
    const meant = otherNames[name.toLowerCase()] ?? name.toLowerCase();
    if (name !== meant && known.includes(meant))
      return `has a parameter ${name}, which has no effect: write ${meant}, or remove it`;
    if (known.includes(name) && pairs.slice(0, at).some((earlier) => earlier.name === name))
      return `has the parameter ${name} twice: remove one of them`;
    if (name === "sslmode" && value === "") return "has an sslmode without a value";
  }
  return null;
}

const known = ["schema", "sslmode", "sslrootcert", "sslcert", "sslkey", "options"];
const otherNames: Readonly<Record<string, string>> = {
  search_path: "schema",
  currentschema: "schema",
  "ssl-mode": "sslmode",
  ssl_mode: "sslmode",
};

function fail(message: string): DriverQuery {
  return { ok: false, message };
}

const verifyFull = [toPair("sslmode", "verify-full")];

const driverModes: Readonly<Record<string, readonly QueryPair[]>> = {
  disable: [toPair("sslmode", "disable")],
  allow: verifyFull,
  prefer: verifyFull,
  require: verifyFull,
  "verify-ca": [toPair("sslmode", "verify-ca"), toPair("uselibpqcompat", "true")],
  "verify-full": verifyFull,
  "no-verify": [toPair("sslmode", "no-verify")],
};

function withSearchPath(pairs: readonly QueryPair[], schema: string): readonly QueryPair[] {
  const own = pairs.filter(({ name }) => name === "options").map(({ value }) => value);
  const options = [...own, `-c search_path=${schema}`].join(" ");
  return [...pairs.filter(({ name }) => name !== "options"), toPair("options", options)];
}

function toPair(name: string, value: string): QueryPair {
  return { name, value, raw: `${name}=${encodeURIComponent(value)}` };
}
