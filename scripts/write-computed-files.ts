/**
 * Writes the files that unit tests compute and compare: docs/providers.md from the catalog, the tables
 * of calls in docs/api/ from the table of routes, .env.example and the tables of variables from
 * lib/core/env, docs/metrics.md, the table of commands in docs/api/command-line.md, and the code that
 * the dashboard shows from docs/verifying-events.md. The tests have these files as their snapshots, so
 * updating the snapshots writes them: scripts import nothing from the product.
 */
import { runChecked } from "./run-checked.ts";

export const providersTest = "lib/core/providers/catalog/describe-catalog.test.ts";
const callsTest = "lib/web/api/describe-calls.test.ts";
const settingsTest = "lib/core/env/describe-settings.test.ts";
const clientTest = "lib/web/api/print-client.test.ts";
const commandsTest = "cli/src/commands.test.ts";
const metricsTest = "lib/metrics/metrics-page.test.ts";
const snippetsTest = "components/subscriptions/verification-snippets.test.ts";

if (import.meta.main) {
  const { code, output } = await runChecked("vitest", [
    "run",
    "--project",
    "unit",
    providersTest,
    callsTest,
    settingsTest,
    clientTest,
    commandsTest,
    metricsTest,
    snippetsTest,
    // The option comes after the files: the next one would be taken for its value.
    "--update",
  ]);
  const written =
    "docs/providers.md, docs/api/, docs/metrics.md, the tables of variables, .env.example, and " +
    "verification-snippets.json are written\n";
  process.stdout.write(code === 0 ? written : output);
  process.exitCode = code;
}
