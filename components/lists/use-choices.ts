"use client";

import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { Choices } from "#lib/schema/account/search.ts";

export type Choice = Choices["choices"][number];

type Wanted = {
  readonly of: "hooks" | "actions";
  readonly hookId: string;
  readonly text: string;
};

const typingMs = 150;

/** Choices for a text, after a pause in typing. Null: no choices are needed. */
export function useChoices(wanted: Wanted | null): Choices & { readonly isDone: boolean } {
  const question =
    wanted === null
      ? null
      : new URLSearchParams({
          of: wanted.of,
          hookId: wanted.hookId,
          q: wanted.text.trim(),
        }).toString();
  const found = useLatestResponse(question, typingMs, ask);
  if (found === undefined) return { choices: [], isMore: false, isDone: false };
  return { ...found, isDone: found.question === question };
}

async function ask(
  question: string,
  signal: AbortSignal,
): Promise<Choices & { readonly question: string }> {
  try {
    const response = await fetch(`/api/choices?${question}`, { signal });
    if (!response.ok) return { choices: [], isMore: false, question };
    return { ...((await response.json()) as Choices), question };
  } catch {
    // The request was aborted, or the server can't be reached. Further typing tries again.
    return { choices: [], isMore: false, question };
  }
}
