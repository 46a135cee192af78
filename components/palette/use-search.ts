"use client";

import { useEffect, useState } from "react";
import { type SearchHit, searchResultSchema } from "#lib/schema/search.ts";

export type SearchState = {
  readonly hits: readonly SearchHit[];
  readonly status: "idle" | "searching" | "done" | "failed";
};

const typingMs = 150;
const idle: SearchState = { hits: [], status: "idle" };

/** Searches after a pause in typing. A response to an older query never replaces a newer one. */
export function useSearch(text: string): SearchState {
  const [state, setState] = useState(idle);
  useEffect(() => {
    if (text.trim() === "") {
      setState(idle);
      return;
    }
    setState(({ hits }) => ({ hits, status: "searching" }));
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const next = await search(text, abort.signal);
      if (!abort.signal.aborted) setState(next);
    }, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return state;
}

async function search(text: string, signal: AbortSignal): Promise<SearchState> {
  try {
    const response = await fetch(`/api/search?${new URLSearchParams({ q: text.trim() })}`, {
      signal,
    });
    const { hits } = searchResultSchema.parse(await response.json());
    return { hits, status: response.ok ? "done" : "failed" };
  } catch {
    // Aborted or failed: the list says so.
    return { hits: [], status: "failed" };
  }
}
