"use client";

import { useEffect, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";

const everyMs = 10_000;

/**
 * Reads a page that failed again: when pressed, and by itself while someone can see it and the server
 * is there. A request to a server that is away would end at the browser's own error page.
 */
export function RetryButton({ retry }: { retry: () => void }) {
  const [isBusy, startTransition] = useTransition();
  useEffect(() => {
    const timer = setInterval(async () => {
      if (document.visibilityState !== "visible" || !(await isServerThere())) return;
      startTransition(retry);
    }, everyMs);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <Button isBusy={isBusy} onClick={() => startTransition(retry)}>
      Try again
    </Button>
  );
}

async function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(everyMs);
  return await fetch("/icon.svg", { method: "HEAD", cache: "no-store", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
