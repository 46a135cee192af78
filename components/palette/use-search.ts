"use client";

import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { SearchHit, SearchHits } from "#lib/schema/account/search.ts";

export type SearchState = {
  readonly hits: readonly SearchHit[];
  readonly status: "idle" | "searching" | "done" | "failed";
};

const typingMs = 150;

/** Searches after a pause in typing. Hits stay until those of the new text arrive. */
export function useSearch(text: string): SearchState {
  const asked = text.trim() === "" ? null : text.trim();
  const found = useLatestResponse(asked, typingMs, search);
  if (asked === null) return { hits: [], status: "idle" };
  return found?.text === asked ? found : { hits: found?.hits ?? [], status: "searching" };
}

async function search(
  text: string,
  signal: AbortSignal,
): Promise<SearchState & { readonly text: string }> {
  try {
    const response = await fetch(`/api/search?${new URLSearchParams({ q: text })}`, {
      signal,
    });
    if (!response.ok) return { text, hits: [], status: "failed" };
    const { hits } = (await response.json()) as SearchHits;
    return { text, hits, status: "done" };
  } catch {
    // The search was aborted or failed. The list says so.
    return { text, hits: [], status: "failed" };
  }
}
