"use client";

import { useEffect, useState } from "react";

type News = { readonly count: number; readonly isMore: boolean };

const none: News = { count: 0, isMore: false };

/** How much has arrived since the delivery `afterId` (empty: at all), of one hook or of all, told as it happens. */
export function useNews(afterId: string, hookId: string | null): News {
  const [news, setNews] = useState(none);

  useEffect(() => {
    setNews(none);
    const params = new URLSearchParams({ after: afterId, ...(hookId === null ? {} : { hookId }) });
    let source: EventSource | undefined;
    // A browser opens six connections to a server at most: a tab that nobody looks at must not hold one.
    const follow = () => {
      source?.close();
      source = undefined;
      if (document.visibilityState !== "visible") return;
      source = new EventSource(`/api/live?${params}`);
      source.onmessage = (event: MessageEvent<string>) => setNews(JSON.parse(event.data));
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, [afterId, hookId]);

  return news;
}
