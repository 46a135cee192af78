import { expect, it } from "vitest";
import { codeProviderPackages } from "#lib/core/verify/testing/code-packages.ts";
import { providerPackages } from "#lib/core/verify/testing/test-packages.ts";
import vectorFile from "#lib/core/verify/vectors.json" with { type: "json" };
import { listProviders } from "./catalog.ts";
import { describeCatalog } from "./describe-catalog.ts";

it("docs/providers.md says what the catalog says: if not, run npm run generate", async () => {
  await expect(describeCatalog(listProviders())).toMatchFileSnapshot(
    "../../../../docs/providers.md",
  );
});

it("a provider's stated proof is what the tests run", () => {
  const packages = { ...providerPackages, ...codeProviderPackages };
  const examples = vectorFile.vectors.filter(
    (vector) => !("valid" in vector && vector.valid === false),
  );
  const claimed = listProviders().map(({ id, proof }) => [id, proof.package, proof.examples ?? 0]);
  const run = listProviders().map(({ id }) => [
    id,
    packages[id]?.name,
    examples.filter(({ provider }) => provider === id).length,
  ]);
  expect(claimed).toEqual(run);
});

it("at least 45 schemes are proven by a package or by published examples", () => {
  const ids = listProviders().map(({ id }) => id);
  const proven = listProviders().filter(
    ({ proof }) => proof.package !== undefined || proof.examples,
  );
  expect(proven.length).toBeGreaterThanOrEqual(45);
  expect(Object.keys(providerPackages).filter((id) => !ids.includes(id))).toEqual([]);
});
