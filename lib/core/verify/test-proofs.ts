/** For tests and the page about senders: by what each scheme of the catalogue was proven, from what the tests run. */
import type { SchemeEvidence } from "./describe-catalogue.ts";
import { senderPackages } from "./test-packages.ts";
import { codeSenderPackages } from "./testing/code-packages.ts";
import vectorFile from "./vectors.json" with { type: "json" };

export function findEvidence(providerId: string): SchemeEvidence {
  const vectors = vectorFile.vectors.filter(
    (vector) => vector.provider === providerId && !("valid" in vector && vector.valid === false),
  );
  return {
    package: (senderPackages[providerId] ?? codeSenderPackages[providerId])?.name ?? null,
    vectors: vectors.length,
  };
}
