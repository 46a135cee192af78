/** Turns guesses into one suggestion. */
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { type ProviderGuess, recognizeProvider } from "./recognize-provider.ts";

export type SuggestedProvider = {
  /** An id from the catalog. */
  readonly id: string;
  readonly name: string;
  readonly why: readonly string[];
  /** False if `alternatives` match about as well, or if a weak mark is the only reason. */
  readonly isClear: boolean;
  readonly alternatives: readonly { readonly id: string; readonly name: string }[];
};

/** The minimum lead of the first guess to be shown without alternatives. */
const clearLead = 3;
const maxAlternatives = 6;

/** Null if no provider is recognized. */
export function suggestProvider(
  request: Pick<VerifyRequest, "headers" | "body">,
): SuggestedProvider | null {
  return toSuggestion(recognizeProvider(request));
}

/** @param guesses most likely first */
export function toSuggestion(guesses: readonly ProviderGuess[]): SuggestedProvider | null {
  const [first, ...others] = guesses;
  if (first === undefined) return null;
  const close = others.filter(({ score }) => first.score - score < clearLead);
  return {
    id: first.id,
    name: first.name,
    why: first.why.slice(0, 3),
    isClear: close.length === 0 && first.isStrong,
    alternatives: close.slice(0, maxAlternatives).map(({ id, name }) => ({ id, name })),
  };
}
