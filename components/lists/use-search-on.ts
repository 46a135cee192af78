"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Search, SearchStep } from "#lib/schema/account/search.ts";

type Item = { readonly id: string };

type SearchStart<Row> = {
  /** The rows of the page. They may be read again while the search continues. */
  readonly rows: readonly Row[];
  readonly search: Search;
};

/**
 * Continues a search while the page is open, one short request after the other, until the page is
 * full or everything was searched. Leaving the page ends the search.
 */
export function useSearchOn<Row extends Item>({ rows, search: start }: SearchStart<Row>) {
  const [found, setFound] = useState(rows);
  const [search, setSearch] = useState<Search | null>(start);
  const [reachedMs, setReachedMs] = useState(start.reachedMs);
  const [older, setOlder] = useState<string | null>(null);
  const [isOn, setOn] = useState(true);
  const [isFailed, setFailed] = useState(false);
  const count = useRef(rows.length);
  count.current = found.length;

  const add = useCallback(
    (more: readonly Row[]) => setFound((before) => mergeRows(before, more)),
    [],
  );
  useEffect(() => add(rows), [rows, add]);

  useEffect(() => {
    if (!isOn || search === null) return;
    const controller = new AbortController();
    void askNext<Row>(search, count.current, controller.signal).then((step) => {
      if (controller.signal.aborted) return;
      if (step === null) {
        setFailed(true);
        setOn(false);
        return;
      }
      add(step.rows);
      setOlder(step.older);
      setSearch(step.search);
      if (step.search !== null) setReachedMs(step.search.reachedMs);
    });
    return () => controller.abort();
  }, [isOn, search, add]);

  const toggle = () => {
    setFailed(false);
    setOn(!isOn);
  };
  return { found, isDone: search === null, isOn, isFailed, reachedMs, older, toggle };
}

/** Merges rows, newest first. Ids rise with time. */
function mergeRows<Row extends Item>(before: readonly Row[], more: readonly Row[]): readonly Row[] {
  const byId = new Map([...before, ...more].map((row) => [row.id, row]));
  return [...byId.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Null: the server can't be reached, the session ended, or the page was left. */
async function askNext<Row>(
  { page, cursor }: Search,
  count: number,
  signal: AbortSignal,
): Promise<SearchStep<Row> | null> {
  try {
    const response = await fetch(`/api/search-on?${page}&resume=${cursor}&count=${count}`, {
      signal,
    });
    return response.ok ? ((await response.json()) as SearchStep<Row>) : null;
  } catch {
    return null;
  }
}
