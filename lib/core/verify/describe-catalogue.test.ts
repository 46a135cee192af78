import { expect, it } from "vitest";
import { describeCatalogue } from "./describe-catalogue.ts";
import { listProviders } from "./providers.ts";

it("docs/providers.md says what the catalogue says: if not, run node scripts/write-provider-docs.ts", async () => {
  await expect(describeCatalogue(listProviders())).toMatchFileSnapshot("../../../docs/providers.md");
});
