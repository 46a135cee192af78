import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Next serves it as `/cli/catchment.mjs`, so that a server's command line always fits it. */
export const cliBundle = "public/cli/catchment.mjs";

/** Bundles the command line into one file without dependencies. */
export async function buildCli(file) {
  const { build } = await import("rolldown");
  await build({
    input: join(fileURLToPath(new URL("../..", import.meta.url)), "cli/src/main.ts"),
    platform: "node",
    logLevel: "warn",
    output: {
      file,
      format: "esm",
      banner: "#!/usr/bin/env node",
      codeSplitting: false,
      // Readable, for those who want to know what it does before they run it.
      minify: false,
      comments: false,
    },
  });
  chmodSync(file, 0o755);
}

// For the package: `npm pack` in cli/ calls it with the file there.
const [, script, file] = process.argv;
if (file !== undefined && script === fileURLToPath(import.meta.url)) await buildCli(resolve(file));
