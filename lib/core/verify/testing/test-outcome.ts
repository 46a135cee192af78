/** A verifier's result in one word, for the tests of this folder. */
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { KeyLookup } from "#lib/core/verify/scheme/signing-key.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import type { requestOf } from "./test-request.ts";

export function outcomeOf(
  id: string,
  settings: Readonly<Record<string, string>>,
  request: ReturnType<typeof requestOf>,
  { keys, secrets = [], atMs }: OutcomeOptions,
) {
  const verdict = prepareVerifier({ scheme: findProvider(id)?.scheme, secrets, settings })(
    request,
    atMs,
    keys,
  );
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

type OutcomeOptions = {
  readonly keys: KeyLookup;
  readonly secrets?: readonly string[];
  readonly atMs: number;
};
