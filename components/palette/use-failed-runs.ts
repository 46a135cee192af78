"use client";

import { useEffect, useState } from "react";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { PaletteCounts } from "#lib/schema/account/search.ts";

/** How many runs have failed, in words. Empty until the server has counted them. */
export function useFailedRuns(): string {
  const [words, setWords] = useState("");
  useEffect(() => {
    const controller = new AbortController();
    void countFailedRuns(controller.signal).then(setWords);
    return () => controller.abort();
  }, []);
  return words;
}

async function countFailedRuns(signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch("/api/palette", { signal });
    if (!response.ok) return "";
    const { failedRuns } = (await response.json()) as PaletteCounts;
    return failedRuns.count === 0 ? "none" : describeCount(failedRuns, "failed run");
  } catch {
    // The palette was closed, or the server can't be reached. The command works without the number.
    return "";
  }
}
