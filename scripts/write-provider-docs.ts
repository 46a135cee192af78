/** Writes docs/providers.md from the catalogue. A unit test fails while the two differ. */
import { writeFileSync } from "node:fs";
import { describeCatalogue } from "#lib/core/verify/describe-catalogue.ts";
import { listProviders } from "#lib/core/verify/providers.ts";

export const providersPage = new URL("../docs/providers.md", import.meta.url);

if (import.meta.main) {
  writeFileSync(providersPage, describeCatalogue(listProviders()));
  process.stdout.write(`docs/providers.md: ${listProviders().length} senders\n`);
}
