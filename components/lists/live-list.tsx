"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useRef, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { announce } from "#components/ui/feedback/toast.ts";
import { type ListSubscription, useUpdates } from "./use-updates.ts";

type LiveListProps = {
  readonly followed: ListSubscription;
  /** The newest that the list shows; empty where it shows none. */
  readonly afterId: string;
  /** Some of its rows are about to change. */
  readonly isMoving: boolean;
  readonly children: ReactNode;
};

const minRefreshMs = 700;
const movingMs = 2_000;

/**
 * A list that keeps itself up to date as long as that takes nothing away: while its beginning is in sight and no row has the focus, what
 * is new appears automatically, at most every 0.7 s however much arrives. Otherwise it stays as it is and a button says how much is new.
 */
export function LiveList({ followed, afterId, isMoving, children }: LiveListProps) {
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const { count, isMore } = useUpdates(followed, afterId);
  const [isPending, startTransition] = useTransition();

  const canChange = useCallback(() => {
    const box = list.current;
    if (box === null || document.visibilityState !== "visible") return false;
    return box.getBoundingClientRect().top >= 0 && document.activeElement?.closest("tbody") == null;
  }, []);

  useEffect(() => {
    if (isPending || (count === 0 && !isMoving)) return;
    const refresh = () => {
      if (canChange()) startTransition(() => router.refresh());
    };
    // Again and again: who scrolls back to the beginning sees what has come meanwhile.
    const timer = setInterval(refresh, count > 0 ? minRefreshMs : movingMs);
    return () => clearInterval(timer);
  }, [count, isMoving, isPending, canChange, router]);

  function show() {
    list.current?.scrollIntoView({ block: "start" });
    announce(`${count}${isMore ? " or more" : ""} new`);
    startTransition(() => router.refresh());
  }

  return (
    <div ref={list} className="grid scroll-mt-6 grid-cols-1 gap-4">
      <div className="pointer-events-none sticky top-3 z-10 -mb-4 flex h-0 justify-center overflow-visible">
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
