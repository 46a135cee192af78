/**
 * Writes docs/providers.md from the catalogue. The unit test that keeps the two equal has the page as its snapshot,
 * so writing the page is updating that: scripts import nothing of the product.
 */
import { runChecked } from "./run-checked.ts";

export const providersTest = "lib/core/verify/describe-catalogue.test.ts";

if (import.meta.main) {
  const { code, output } = await runChecked("vitest", [
    "run",
    "--project",
    "unit",
    providersTest,
    // Behind the file, which it would take for its value.
    "--update",
  ]);
  process.stdout.write(code === 0 ? "docs/providers.md is written\n" : output);
  process.exitCode = code;
}
