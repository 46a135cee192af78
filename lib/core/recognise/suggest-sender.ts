/** From guesses to the one line that people are shown. */
import type { VerifyRequest } from "#lib/core/verify/request-view.ts";
import { recogniseSender } from "./recognise-sender.ts";

export type SuggestedProvider = {
  /** Of the catalogue. */
  readonly id: string;
  readonly name: string;
  readonly why: readonly string[];
  /** False where others fit as well; then they are named. */
  readonly isClear: boolean;
  readonly alternatives: readonly { readonly id: string; readonly name: string }[];
};

/** By how much the first has to lead, so that no other is named beside it. */
const clearLead = 3;
const mostAlternatives = 6;

/** Null where nothing is recognised. */
export function suggestSender(request: Pick<VerifyRequest, "headers" | "body">): SuggestedProvider | null {
  const [first, ...others] = recogniseSender(request);
  if (first === undefined) return null;
  const close = others.filter(({ score }) => first.score - score < clearLead);
  return {
    id: first.id,
    name: first.name,
    why: first.why.slice(0, 3),
    isClear: close.length === 0,
    alternatives: close.slice(0, mostAlternatives).map(({ id, name }) => ({ id, name })),
  };
}
