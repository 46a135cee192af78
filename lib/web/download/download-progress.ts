import { oncePerProcess } from "#lib/base/once.ts";
import type { DownloadProgress } from "#lib/schema/account/search.ts";

type Kept = DownloadProgress & { readonly accountId: string };

const maxKept = 500;

/**
 * The progress of downloads, for the pages that started them: a page can't see how far its browser
 * is. It is in the memory of the web process that serves the download, so that another machine knows
 * nothing of it.
 */
const keptDownloads = oncePerProcess("catchmentDownloads", () => new Map<string, Kept>());

export function recordProgress(accountId: string, id: string, progress: DownloadProgress): void {
  const kept = keptDownloads();
  // The last written is the last to be dropped.
  kept.delete(id);
  kept.set(id, { ...progress, accountId });
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

/** Null: another process serves the download, or it is long over. */
export function findProgress(accountId: string, id: string): DownloadProgress | null {
  const found = keptDownloads().get(id);
  if (found === undefined || found.accountId !== accountId) return null;
  const { accountId: _, ...progress } = found;
  return progress;
}
