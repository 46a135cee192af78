"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useUpdates } from "./use-updates.ts";

/** Makes the page again the moment something arrives that it doesn't show yet. */
export function RefreshOnDelivery({ hookId, afterId }: { hookId: string; afterId: string }) {
  const router = useRouter();
  const { count } = useUpdates({ list: "deliveries", hookId }, afterId);
  useEffect(() => {
    if (count > 0) router.refresh();
  }, [count, router]);
  return null;
}
