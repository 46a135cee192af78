import { useState, useTransition } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { ActivityRange } from "#lib/schema/watch/activity.ts";
import type { PlotsView, ReadPlots } from "./plot-view.ts";

/** The first range comes with the page and changes with it. Others are read when they are chosen. */
export function usePlots(first: PlotsView, read: ReadPlots) {
  const [other, setOther] = useState<PlotsView | null>(null);
  const [isPending, startTransition] = useTransition();

  function choose(range: ActivityRange) {
    if (range === first.range) {
      setOther(null);
      return;
    }
    startTransition(async () => {
      const result = await read(range).catch(() => serverUnreachable);
      startTransition(() => {
        if (result.ok) setOther(result.value);
        else toast(result.message, { tone: "negative" });
      });
    });
  }

  return { shown: other ?? first, isPending, choose };
}
