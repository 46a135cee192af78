import { defineConfig } from "prisma/config";

// The schema engine is never downloaded: `scripts/setup.mjs` generates the client offline and
// `server/database/migrate.ts` applies the SQL migrations through the WebAssembly engine.
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://unset" },
});
