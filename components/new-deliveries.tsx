"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "./ui/button.tsx";
import { useNews } from "./use-news.ts";

type NewDeliveriesProps = {
  /** The newest that the list shows; empty where it shows none. */
  readonly afterId: string;
  /** Null: of all hooks. */
  readonly hookId: string | null;
};

/** "3 new": what has arrived since the list was made. The list stays where it is until it is asked for. */
export function NewDeliveries({ afterId, hookId }: NewDeliveriesProps) {
  const router = useRouter();
  const news = useNews(afterId, hookId);
  const [isPending, startTransition] = useTransition();

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
