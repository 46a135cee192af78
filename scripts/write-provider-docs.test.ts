import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeCatalogue } from "#lib/core/verify/describe-catalogue.ts";
import { listProviders } from "#lib/core/verify/providers.ts";
import { providersPage } from "./write-provider-docs.ts";

it("docs/providers.md says what the catalogue says: if not, run node scripts/write-provider-docs.ts", () => {
  expect(readFileSync(providersPage, "utf8")).toBe(describeCatalogue(listProviders()));
});
