"use client";

import { useEffect, useRef, useState } from "react";

/** What a list shows: `list`, and the filters of its address. */
export type Followed = Readonly<Record<string, string>>;

type News = { readonly ids: readonly string[]; readonly isMore: boolean };

const none: News = { ids: [], isMore: false };
const mostKept = 100;

/** How much has come since `afterId` (empty: at all) that a list would show, told as it happens. */
export function useNews(
  followed: Followed,
  afterId: string,
): { readonly count: number; readonly isMore: boolean } {
  const [news, setNews] = useState(none);
  const known = useRef(afterId);
  known.current = afterId;
  const query = new URLSearchParams(followed).toString();

  useEffect(() => {
    setNews(none);
    let source: EventSource | undefined;
    // A browser opens six connections to a server at most: a tab that nobody looks at must not hold one.
    const follow = () => {
      source?.close();
      source = undefined;
      if (document.visibilityState !== "visible") return;
      const after = known.current === "" ? "" : `&after=${known.current}`;
      source = new EventSource(`/api/live?${query}${after}`);
      source.onmessage = (event: MessageEvent<string>) => {
        const { ids, isMore } = JSON.parse(event.data) as News;
        setNews((before) => ({
          ids: [...new Set([...ids, ...before.ids])].slice(0, mostKept),
          isMore: isMore || ids.length + before.ids.length > mostKept,
        }));
      };
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, [query]);

  const count = news.ids.filter((id) => id > afterId).length;
  return { count, isMore: news.isMore && count === news.ids.length && count > 0 };
}
