"use client";

import { useEffect, useState } from "react";
import type { DownloadProgress } from "#lib/schema/account/search.ts";

const pollMs = 700;
/** Another machine may serve the download. */
const maxMisses = 5;

/** Follows a download that this page has started. Null: nothing is known of it. */
export function useDownloadProgress(download: string | null): DownloadProgress | null {
  const [progress, setProgress] = useState<DownloadProgress | null>(null);

  useEffect(() => {
    setProgress(null);
    if (download === null) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let misses = 0;
    const ask = async () => {
      const found = await askProgress(download, controller.signal);
      if (controller.signal.aborted) return;
      misses = found === null ? misses + 1 : 0;
      if (found !== null) setProgress(found);
      if (misses < maxMisses && (found === null || found.state === "running"))
        timer = setTimeout(ask, pollMs);
    };
    timer = setTimeout(ask, pollMs / 2);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [download]);

  return progress;
}

async function askProgress(id: string, signal: AbortSignal): Promise<DownloadProgress | null> {
  try {
    const response = await fetch(`/api/download/progress?id=${id}`, { signal });
    return response.ok ? ((await response.json()) as DownloadProgress) : null;
  } catch {
    // The server can't be reached, or the page was left.
    return null;
  }
}
