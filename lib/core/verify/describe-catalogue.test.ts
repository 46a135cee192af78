import { expect, it } from "vitest";
import { describeCatalogue } from "./describe-catalogue.ts";
import { listProviders } from "./providers.ts";
import { senderPackages } from "./test-packages.ts";
import { findEvidence } from "./test-proofs.ts";

it("docs/providers.md says what the catalogue says: if not, run node scripts/write-provider-docs.ts", async () => {
  await expect(describeCatalogue(listProviders(), findEvidence)).toMatchFileSnapshot(
    "../../../docs/providers.md",
  );
});

it("at least 45 schemes are proven by a package of their sender or by published examples, not by reading alone", () => {
  const ids = listProviders().map(({ id }) => id);
  const proven = ids.map(findEvidence).filter((found) => found.package !== null || found.vectors > 0);
  expect(proven.length).toBeGreaterThanOrEqual(45);
  expect(Object.keys(senderPackages).filter((id) => !ids.includes(id))).toEqual([]);
});
