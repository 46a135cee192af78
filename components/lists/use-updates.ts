"use client";

import { useEffect, useRef, useState } from "react";

/** The contents of a list: `list`, and the filters of its URL. */
export type ListSubscription = Readonly<Record<string, string>>;

type Updates = { readonly ids: readonly string[]; readonly isMore: boolean };

const none: Updates = { ids: [], isMore: false };
const maxKept = 100;
const retryMs = 30_000;

/** Counts the items of a list that arrived after `afterId` (empty: all items), updated live. */
export function useUpdates(
  subscription: ListSubscription,
  afterId: string,
): { readonly count: number; readonly isMore: boolean } {
  const [updates, setUpdates] = useState(none);
  const known = useRef(afterId);
  known.current = afterId;
  const query = new URLSearchParams(subscription).toString();

  useEffect(() => {
    setUpdates(none);
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      clearTimeout(retry);
      source?.close();
      source = undefined;
    };
    const follow = () => {
      stop();
      // A browser opens at most six connections to a server, so a hidden tab must not keep one.
      if (document.visibilityState !== "visible") return;
      const after = known.current === "" ? "" : `&after=${known.current}`;
      source = new EventSource(`/api/live?${query}${after}`);
      source.onmessage = (event: MessageEvent<string>) => {
        const { ids, isMore } = JSON.parse(event.data) as Updates;
        setUpdates((before) => ({
          ids: [...new Set([...ids, ...before.ids])].slice(0, maxKept),
          isMore: isMore || ids.length + before.ids.length > maxKept,
        }));
      };
      // The request was rejected, for example by a server that is starting or has enough open
      // lists. The browser doesn't retry then.
      source.onerror = () => {
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(follow, retryMs);
      };
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop();
    };
  }, [query]);

  const count = updates.ids.filter((id) => id > afterId).length;
  return { count, isMore: updates.isMore && count === updates.ids.length && count > 0 };
}
