"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useUpdates } from "./use-updates.ts";

/** Refreshes the page as soon as a new delivery arrives. */
export function RefreshOnDelivery({ hookId, afterId }: { hookId: string; afterId: string }) {
  const router = useRouter();
  const { count } = useUpdates({ list: "deliveries", hookId }, afterId);
  useEffect(() => {
    if (count > 0) router.refresh();
  }, [count, router]);
  return null;
}
