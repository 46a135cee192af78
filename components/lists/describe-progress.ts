import { describeCount } from "#components/ui/text/describe-count.ts";
import type { DownloadProgress } from "#lib/schema/account/search.ts";

/** The progress of an export in words. */
export function describeProgress({ state, rows, detail }: DownloadProgress): string {
  const count = describeCount(rows, "row");
  switch (state) {
    case "running":
      return `Exporting: ${count} so far`;
    case "done":
      return `Exported ${count}`;
    case "canceled":
      return `Export canceled after ${count}`;
    case "failed":
      return `Export failed after ${count}. ${detail ?? ""}`.trim();
    default:
      return state satisfies never;
  }
}
