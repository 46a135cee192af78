/**
 * Writes docs/providers.md from the catalog. The unit test that compares the two has the page as
 * its snapshot, so updating the snapshot writes the page: scripts import nothing from the product.
 */
import { runChecked } from "./run-checked.ts";

export const providersTest = "lib/core/catalog/describe-catalog.test.ts";

if (import.meta.main) {
  const { code, output } = await runChecked("vitest", [
    "run",
    "--project",
    "unit",
    providersTest,
    // After the file, which would otherwise be taken for its value.
    "--update",
  ]);
  process.stdout.write(code === 0 ? "docs/providers.md is written\n" : output);
  process.exitCode = code;
}
