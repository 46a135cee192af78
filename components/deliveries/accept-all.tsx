"use client";

import {
  type BulkCommands,
  BulkDialog,
  type FilterValues,
} from "#components/lists/bulk-dialog.tsx";
import { describeAccept } from "./describe-accept.ts";

export type AcceptAllProps = BulkCommands & { readonly values: FilterValues };

/** Accepts all rejected deliveries that match the filter and verify now. */
export function AcceptAll(props: AcceptAllProps) {
  return (
    <BulkDialog
      {...props}
      label="Accept and run all…"
      title={describeAccept}
      back="Cancel"
      verb="Accept and run"
      hasLimits
    >
      Every delivery that matches the filter, on all pages, is verified again with its hook's
      current settings, whenever it was sent. Those that verify are accepted and their actions run.
      Duplicates run nothing, and the others stay rejected.
    </BulkDialog>
  );
}
