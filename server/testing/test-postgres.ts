import { chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { withConnection } from "#server/database/database-connection.ts";
import { migrate, readMigrations } from "#server/database/migrate.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A migrated database that test databases are cloned from. It must have no connections. */
    testTemplateUrl: string;
    /** The superuser's URL, for databases that come and go. */
    testAdminUrl: string;
  }
}

/**
 * Vitest's global setup: one real PostgreSQL for all `*.db.test.ts`, with a database that every
 * file clones.
 */
export default async function startTestPostgres(
  project: TestProject,
): Promise<() => Promise<void>> {
  const user = findServiceUser();
  const folder = prepareDataFolder(mkdtempSync(join(chooseRoot(), "catchment-test-")));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const postgres = await startEmbeddedPostgres({
    folder,
    user,
    settings: {
      max_connections: "300",
      // It would read rows that tests count, and bring other plans, at a moment that differs from run to run.
      autovacuum: "off",
    },
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    // A process that is being killed may still write into it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  };
  try {
    const migrations = readMigrations(migrationsFolder);
    // Test files clone the template, and some create roles. Everything else uses the product's own
    // rights.
    await withConnection(postgres.adminUrl, (client) =>
      client.query(`alter role ${new URL(postgres.url).username} createdb createrole`),
    );
    await withConnection(postgres.url, (client) =>
      migrate({ url: postgres.url, client, migrations }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("testTemplateUrl", postgres.url);
  project.provide("testAdminUrl", postgres.adminUrl);
  return stop;
}

/**
 * Chooses a folder in memory if there is space: a temporary cluster need not wait for the disk. A
 * container's /dev/shm is often small.
 */
function chooseRoot(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}
