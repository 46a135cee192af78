import { fileURLToPath } from "node:url";

/** The folder of package.json, whatever the current directory is. */
export const projectRoot = fileURLToPath(new URL("..", import.meta.url));

export const migrationsFolder = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

/** Written by node itself; where it can't be, node does without. */
export const compileCacheFolder = fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url));
