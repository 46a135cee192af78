import { chmodSync } from "node:fs";
import { join } from "node:path";

/** Next serves it as `/cli/catchment.mjs`, so that a server's command line always fits it. */
export const cliBundle = "public/cli/catchment.mjs";

/** Bundles the command line into one file without dependencies. */
export async function buildCli(root) {
  const { build } = await import("rolldown");
  const file = join(root, cliBundle);
  await build({
    input: join(root, "cli/src/main.ts"),
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
