"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useRef, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { announce } from "#components/ui/feedback/toast.ts";
import { type ListSubscription, useUpdates } from "./use-updates.ts";

type LiveListProps = {
  readonly followed: ListSubscription;
  /** The newest item shown; empty if there is none. */
  readonly afterId: string;
  /** True if some rows are about to change. */
  readonly isMoving: boolean;
  readonly children: ReactNode;
};

const minRefreshMs = 700;
const movingMs = 2_000;

/**
 * A list that updates itself without interrupting: while its start is visible and no row has the
 * focus or is selected, new items appear automatically, at most every 0.7 s. Otherwise it stays unchanged, and a
 * button shows the number of new items.
 */
export function LiveList({ followed, afterId, isMoving, children }: LiveListProps) {
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const { count, isMore } = useUpdates(followed, afterId);
  const [isPending, startTransition] = useTransition();

  const canChange = useCallback(() => {
    const box = list.current;
    if (box === null || document.visibilityState !== "visible") return false;
    if (box.querySelector("input[data-row]:checked") !== null) return false;
    return box.getBoundingClientRect().top >= 0 && document.activeElement?.closest("tbody") == null;
  }, []);

  useEffect(() => {
    if (isPending || (count === 0 && !isMoving)) return;
    const refresh = () => {
      if (canChange()) startTransition(() => router.refresh());
    };
    // Repeats, so that users who scroll back to the start see new items.
    const timer = setInterval(refresh, count > 0 ? minRefreshMs : movingMs);
    return () => clearInterval(timer);
  }, [count, isMoving, isPending, canChange, router]);

  function show() {
    list.current?.scrollIntoView({ block: "start" });
    announce(`${count}${isMore ? " or more" : ""} new`);
    startTransition(() => router.refresh());
  }

  return (
    <div ref={list} className="grid scroll-mt-6 grid-cols-1">
      <div className="pointer-events-none sticky top-3 z-10 flex h-0 justify-center overflow-visible">
        {count > 0 && (
          <Button
            isBusy={isPending}
            className="pointer-events-auto -translate-y-1 rounded-full shadow-md"
            onClick={show}
          >
            {count}
            {isMore && "+"} new
          </Button>
        )}
      </div>
      {children}
    </div>
  );
}
