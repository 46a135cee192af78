"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { Button } from "./ui/button.tsx";

type NewDeliveriesProps = {
  /** The newest that the list shows; empty where it shows none. */
  readonly afterId: string;
  /** Null: of all hooks. */
  readonly hookId: string | null;
};

/** "3 new": what has arrived since the list was made. The list stays where it is until it is asked for. */
export function NewDeliveries({ afterId, hookId }: NewDeliveriesProps) {
  const router = useRouter();
  const [news, setNews] = useState({ count: 0, isMore: false });
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    setNews({ count: 0, isMore: false });
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

  return (
    <div
      aria-live="polite"
      className="pointer-events-none sticky top-3 z-10 flex h-0 justify-center overflow-visible"
    >
      {news.count > 0 && (
        <Button
          isBusy={isPending}
          className="pointer-events-auto -translate-y-1 rounded-full shadow-md"
          onClick={() => startTransition(() => router.refresh())}
        >
          {news.count}
          {news.isMore && "+"} new
        </Button>
      )}
    </div>
  );
}
