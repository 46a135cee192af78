import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { prepareDataFolder } from "../data-folder.ts";
import { withConnection } from "../database-connection.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { migrationsFolder } from "../paths.ts";
import { findPostgresUser } from "../postgres/system-user.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A migrated database that test databases are cloned from; nobody may stay connected to it. */
    testTemplateUrl: string;
  }
}

/** Vitest's global set-up: one real PostgreSQL for all `*.db.test.ts`, with a database that every file clones. */
export default async function startTestPostgres(project: TestProject): Promise<() => Promise<void>> {
  const user = findPostgresUser();
  const folder = prepareDataFolder(mkdtempSync(join(tmpdir(), "catchment-test-")), user?.gid);
  const postgres = await startEmbeddedPostgres({ folder, user, settings: { max_connections: "200" } });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const migrations = readMigrations(migrationsFolder);
    await withConnection(postgres.url, (client) => migrate({ url: postgres.url, client, migrations }));
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("testTemplateUrl", postgres.url);
  return stop;
}
