"use client";

import type { ReactNode } from "react";
import {
  type BulkCommands,
  BulkDialog,
  type FilterValues,
} from "#components/lists/bulk-dialog.tsx";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { describeBulk } from "./describe-bulk.ts";

type BulkRunsProps = BulkCommands & {
  readonly kind: BulkKind;
  readonly values: FilterValues & { readonly status: string };
  /** The name of the action, if the filter has one. */
  readonly actionName: string | null;
  /** The content of the button. */
  readonly label?: ReactNode;
};

/** Retries or cancels all runs that match the list's filter. */
export function BulkRuns({ kind, actionName, label, ...rest }: BulkRunsProps) {
  const words = { kind, status: rest.values.status, actionName };
  const title = (total: number | null) => describeBulk(words, total);
  return kind === "retry" ? (
    <BulkDialog
      {...rest}
      label={label ?? "Retry all of these…"}
      title={title}
      back="Cancel"
      verb="Retry"
      opensBy="retry"
      hasLimits
    >
      Retries every run that matches the filter, on all pages, with the same Idempotency-Key and all
      attempts of its action. Runs that fail later aren't included.
    </BulkDialog>
  ) : (
    <BulkDialog
      {...rest}
      label={label ?? "Cancel all of these…"}
      title={title}
      back="Go back"
      verb="Cancel"
      isDanger
    >
      Cancels every run that matches the filter, on all pages. Requests in progress continue.
    </BulkDialog>
  );
}
