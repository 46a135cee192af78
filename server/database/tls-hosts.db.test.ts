import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { testCertificate } from "#lib/net/testing/test-certificate.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { withConnection } from "./database-connection.ts";

/** The certificate is for this address alone. */
const named = "127.0.0.3";
const folder = prepareDataFolder(mkdtempSync(join(tmpdir(), "catchment-tls-")));
const files = { cert: join(folder, "server.crt"), key: join(folder, "server.key") };
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  const user = findServiceUser();
  for (const name of ["cert", "key"] as const)
    writeFileSync(files[name], testCertificate[name], { mode: 0o600 });
  if (user !== undefined)
    for (const path of [folder, files.cert, files.key]) chownSync(path, user.uid, user.gid);
  postgres = await startEmbeddedPostgres({
    folder,
    user,
    settings: {
      listen_addresses: `127.0.0.1,${named}`,
      ssl: "on",
      ssl_cert_file: files.cert,
      ssl_key_file: files.key,
    },
  });
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function writeUrl(hosts: readonly string[], query: string): string {
  const { username, password, port, pathname } = new URL(postgres.url);
  const list = hosts.map((host) => `${host}:${port}`).join(",");
  return `postgresql://${username}:${password}@${list}${pathname}?${query}`;
}

test("the certificate of each host has to have that host's own name", async () => {
  const verified = `sslmode=verify-full&sslrootcert=${files.cert}`;
  const url = writeUrl(["127.0.0.1", named], verified);
  const db = createSqlDatabase({ url, poolSize: 2, applicationName: "tls" });
  const [row] = await db.$queryRaw<{ host: string; ssl: boolean }[]>`
    select host(inet_server_addr()) as host, ssl from pg_stat_ssl where pid = pg_backend_pid()`;
  await db.$disconnect();
  expect(row).toEqual({ host: named, ssl: true });
  const other = writeUrl(["127.0.0.1", "127.0.0.2"], verified);
  await expect(withConnection(other, async () => undefined)).rejects.toThrow(
    /127\.0\.0\.1:\d+ can't be reached \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
  );
});

test("the certificate's authority has to be known, unless the URL says otherwise", async () => {
  const unknown = writeUrl(["127.0.0.1", named], "sslmode=verify-full");
  await expect(withConnection(unknown, async () => undefined)).rejects.toThrow(
    /shows a certificate of an authority that this machine does not know/,
  );
  const any = writeUrl(["127.0.0.1", named], "sslmode=no-verify");
  await withConnection(any, async (client) => {
    const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    expect(rows).toEqual([{ ssl: true }]);
  });
});

test("verify-ca checks the authority and no name, as for managed databases without host names", async () => {
  const url = writeUrl(["127.0.0.1"], `sslmode=verify-ca&sslrootcert=${files.cert}`);
  await withConnection(url, async (client) => {
    const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    expect(rows).toEqual([{ ssl: true }]);
  });
  const otherAuthority = join(folder, "other.pem");
  writeFileSync(otherAuthority, rootCertificates[0] ?? "");
  const foreign = writeUrl(["127.0.0.1"], `sslmode=verify-ca&sslrootcert=${otherAuthority}`);
  await expect(withConnection(foreign, async () => undefined)).rejects.toThrow(
    /shows a certificate of an authority that this machine does not know/,
  );
  const missing = writeUrl(["127.0.0.1"], "sslmode=verify-ca&sslrootcert=/nowhere/ca.pem");
  await expect(withConnection(missing, async () => undefined)).rejects.toThrow(
    /\/nowhere\/ca\.pem that DATABASE_URL names can't be read \(ENOENT\)/,
  );
});
