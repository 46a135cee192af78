import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly } from "./run-quietly.mjs";

const bin = fileURLToPath(new URL("../../node_modules/.bin", import.meta.url));

/** Writes `lib/db/generated` from `prisma/schema.prisma`, also without a network. */
export async function generateClient() {
  // Prisma would download an engine that generating doesn't use. Any existing program prevents
  // that.
  await runQuietly(join(bin, "prisma"), ["generate"], {
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  });
}

// `npm run generate`.
if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient();
