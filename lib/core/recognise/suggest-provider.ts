/** Turns guesses into one suggestion. */
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { recogniseProvider } from "./recognise-provider.ts";

export type SuggestedProvider = {
  /** From the catalog. */
  readonly id: string;
  readonly name: string;
  readonly why: readonly string[];
  /** False if `alternatives` match about as well. */
  readonly isClear: boolean;
  readonly alternatives: readonly { readonly id: string; readonly name: string }[];
};

/** Minimum lead of the first guess to be shown without alternatives. */
const clearLead = 3;
const maxAlternatives = 6;

/** Null if no provider is recognized. */
export function suggestProvider(
  request: Pick<VerifyRequest, "headers" | "body">,
): SuggestedProvider | null {
  const [first, ...others] = recogniseProvider(request);
  if (first === undefined) return null;
  const close = others.filter(({ score }) => first.score - score < clearLead);
  return {
    id: first.id,
    name: first.name,
    why: first.why.slice(0, 3),
    isClear: close.length === 0,
    alternatives: close.slice(0, maxAlternatives).map(({ id, name }) => ({ id, name })),
  };
}
