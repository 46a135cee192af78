"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Menu, MenuItem } from "#components/ui/overlay/menu.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { DownloadProgress } from "#lib/schema/account/search.ts";
import { useDownloadProgress } from "./use-download-progress.ts";

type ExportMenuProps = {
  /** The path of the list in the API: "event-types". */
  readonly list: string;
  /** The filters of the list, as in its URL. */
  readonly values?: Readonly<Record<string, string>>;
};

/**
 * Exports everything that matches the filters. The browser downloads while the server reads, and
 * the page says how far it is.
 */
export function ExportMenu({ list, values = {} }: ExportMenuProps) {
  const [download, setDownload] = useState<string | null>(null);
  const progress = useDownloadProgress(download);

  function start(format: string): void {
    const id = newDownloadId();
    const filters = Object.entries(values).filter(([, value]) => value !== "");
    const params = new URLSearchParams([
      ["list", list],
      ["format", format],
      ["download", id],
      ...filters,
    ]);
    const link = document.createElement("a");
    link.href = `/api/download?${params}`;
    link.download = "";
    link.click();
    setDownload(id);
  }

  return (
    <div className="flex items-center">
      <p role="status" className="text-sm text-muted-foreground tabular-nums not-empty:mr-3">
        {progress !== null && describeProgress(progress)}
      </p>
      <Menu
        label="Export"
        trigger={
          <Button look="secondary">
            Export
            <ChevronDown aria-hidden size={15} />
          </Button>
        }
      >
        <MenuItem onSelect={() => start("csv")}>CSV</MenuItem>
        <MenuItem onSelect={() => start("ndjson")}>NDJSON</MenuItem>
      </Menu>
    </div>
  );
}

/** 32 hexadecimal digits. `randomUUID` only exists on https and localhost. */
function newDownloadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
