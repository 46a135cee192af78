import { expect, test } from "vitest";
import { readDatabaseUrl } from "./database-url.ts";

function read(text: string) {
  const result = readDatabaseUrl(text);
  if (!result.ok) throw new Error(result.message);
  return result;
}

test("several hosts: each gets an ordinary URL of its own, with everything else in it", () => {
  const url = read(
    "postgres://u:p%40s@db1:5432,db2:5433/shop?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=/ca.pem",
  );
  expect(url).toMatchObject({ isChecked: true, database: "shop", user: "u" });
  const rest = "/shop?sslmode=verify-full&sslrootcert=/ca.pem";
  expect(url.hosts).toEqual([
    { host: "db1", port: 5432, name: "db1:5432", url: `postgres://u:p%40s@db1:5432${rest}` },
    { host: "db2", port: 5433, name: "db2:5433", url: `postgres://u:p%40s@db2:5433${rest}` },
  ]);
});

test.each([
  ["a port for each", "db1:1,db2:2", "", ["db1:1", "db2:2"]],
  ["no ports", "db1,db2", "", ["db1:5432", "db2:5432"]],
  ["a port for one of them", "db1,db2:2", "", ["db1:5432", "db2:2"]],
  ["addresses of IPv6", "[::1]:1,[fd00::2]", "", ["[::1]:1", "[fd00::2]:5432"]],
  ["hosts in the query", "", "?host=db1,db2", ["db1:5432", "db2:5432"]],
  ["hosts and ports in the query", "", "?host=db1,db2&port=1,2", ["db1:1", "db2:2"]],
  ["one port for all", "", "?host=db1,db2&port=7", ["db1:7", "db2:7"]],
  ["sockets", "", "?host=/run/a,/run/b&port=1,2", ["/run/a", "/run/b"]],
])("%s", (_, authority, query, names) => {
  const { hosts, isChecked } = read(`postgresql://u:p@${authority}/x${query}`);
  expect(hosts.map(({ name }) => name)).toEqual(names);
  expect(isChecked).toBe(true);
  for (const { url } of hosts) expect(readDatabaseUrl(url)).toMatchObject({ ok: true });
});

test("an address of IPv6 and a socket keep their form in a URL of their own", () => {
  expect(read("postgres://u@[::1]:7,db/x").hosts[0].url).toBe("postgres://u@[::1]:7/x");
  expect(read("postgres://u@/x?host=/run/a,db&port=7,8").hosts[0].url).toBe(
    "postgres://u@localhost:7/x?host=%2Frun%2Fa",
  );
});

test.each([
  "postgresql://user:password@host:5432/database",
  "postgres://host/x?host=%2Frun%2Fpostgresql&sslmode=disable",
  "postgresql:///x",
  "postgresql://u:p@ss@host/x",
  "postgresql://127.0.0.1:5432/x?options=-c%20statement_timeout=5",
])("%s has one host, stays as it is, and isn't checked", (url) => {
  expect(read(url)).toMatchObject({ hosts: [{ url }], isChecked: false });
});

test.each([
  ["sslmode=require", "sslmode=verify-full"],
  ["sslmode=prefer&a=b", "sslmode=verify-full&a=b"],
  [
    "sslmode=verify-ca&sslrootcert=/ca.pem",
    "sslmode=verify-ca&uselibpqcompat=true&sslrootcert=/ca.pem",
  ],
  ["sslmode=require&uselibpqcompat=true", "sslmode=require&uselibpqcompat=true"],
  ["sslmode=verify-full&sslrootcert=system", "sslmode=verify-full"],
  ["schema=public&sslmode=disable", "sslmode=disable"],
  ["schema=shop", "options=-c%20search_path%3Dshop"],
  ["options=-c a=b&schema=shop", "options=-c%20a%3Db%20-c%20search_path%3Dshop"],
])("the driver gets %s as %s", (query, driver) => {
  const { hosts, schema } = read(`postgres://u@db/x?${query}`);
  expect(hosts[0].url).toBe(`postgres://u@db/x?${driver}`);
  expect(schema).toBe(query.includes("shop") ? "shop" : "public");
});

test("one host is checked if its URL says so", () => {
  for (const value of ["read-write", "primary"])
    expect(read(`postgres://db/x?target_session_attrs=${value}&a=b`)).toMatchObject({
      isChecked: true,
      hosts: [{ url: "postgres://db/x?a=b" }],
    });
  expect(read("postgres://db/x?target_session_attrs=any").isChecked).toBe(false);
});

test.each([
  ["mysql://db/x", /must be a PostgreSQL URL/],
  ["postgresql://db", /must be a PostgreSQL URL/],
  ["postgresql://secret:p#w@db/x", /# as %23/],
  ["postgresql://secret:p?w@db/x", /\? as %3F/],
  ["postgresql://secret:p/w@db/x", /\/ as %2F/],
  ["postgresql://secret:12/w@db/x", /\/ as %2F/],
  ["postgresql://secret:%zz@db/x", /% as %25/],
  ["postgresql://secret:100%@db/x", /% as %25/],
  ['"postgresql://secret@db/x"', /is in quotes: remove them/],
  ["'postgresql://secret@db/x'", /is in quotes: remove them/],
  ["postgresql://secret@db/x?schema=My%20Shop", /schema with other characters/],
  ["postgresql://secret@db/x?sslmode=verify_full", /sslmode other than disable, .*verify-full/],
  ["postgresql://secret@db/x?sslmode=", /sslmode without a value/],
  ["postgresql://secret@db/x?sslmode=require&sslmode=disable", /sslmode twice: remove one/],
  ["postgresql://secret@db/x?SSLMODE=require", /SSLMODE, which has no effect: write sslmode/],
  ["postgresql://secret@db/x?ssl_mode=require", /ssl_mode, .* write sslmode/],
  ["postgresql://secret@db/x?sslRootCert=/ca.pem", /sslRootCert, .* write sslrootcert/],
  ["postgresql://secret@db/x?search_path=shop", /search_path, .* write schema/],
  ["postgresql://secret@db/x?currentSchema=shop", /currentSchema, .* write schema/],
  ["postgresql://secret@db/x?Schema=shop", /Schema, .* write schema/],
  ["postgresql://secret@db/x?sslmode=verify-ca", /without a file in sslrootcert/],
  [
    "postgresql://secret@db/x?sslmode=verify-ca&sslrootcert=system",
    /without a file in sslrootcert/,
  ],
  ["postgresql://secret@db1,,db2/x", /empty name/],
  ["postgresql://secret@/x?host=db1,", /empty name/],
  ["postgresql://secret@/x?host=a,b,c&port=1,2", /2 ports for 3 hosts/],
  ["postgresql://secret@db1:0,db2/x", /port that isn't a number/],
  ["postgresql://secret@db1:99999,db2/x", /port that isn't a number/],
  ["postgresql://secret@db1:5432,db1/x", /names a host twice/],
  ["postgresql://secret@a,b/x?target_session_attrs=standby", /target_session_attrs/],
  [`postgresql://secret@${Array.from({ length: 17 }, (_, at) => `h${at}`).join()}/x`, /16 hosts/],
])("%s is refused, and the reason doesn't repeat it", (text, reason) => {
  const result = readDatabaseUrl(text);
  expect(result).toEqual({ ok: false, message: expect.stringMatching(reason) });
  expect(JSON.stringify(result)).not.toContain("secret");
});
