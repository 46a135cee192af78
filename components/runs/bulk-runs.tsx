"use client";

import { useId, useRef, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeText } from "#components/ui/safe-text.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { BulkKind } from "#lib/schema/run-states.ts";
import { describeBulk } from "./describe-bulk.ts";

type Values = Readonly<Record<string, string>>;
/** Null: too many to count. */
export type CountBulk = (values: Values) => Promise<CommandResult<number | null>>;
export type StartBulk = (values: Values) => Promise<CommandResult<null>>;

type BulkRunsProps = {
  readonly kind: BulkKind;
  /** The filters of the list, as in its URL. */
  readonly values: Values & { readonly status: string };
  /** If the filter names one. */
  readonly actionName: string | null;
  readonly count: CountBulk;
  readonly start: StartBulk;
};

/** Retries or cancels all runs that match the list's filter, on all pages. First says how many. */
export function BulkRuns({ kind, values, actionName, count, start }: BulkRunsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [counted, setCounted] = useState<CommandResult<number | null>>();
  const [message, setMessage] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const words = { kind, status: values.status, actionName };
  const total = counted?.ok === true ? counted.value : undefined;

  function open() {
    setCounted(undefined);
    setMessage(undefined);
    dialog.current?.showModal();
    startTransition(async () => setCounted(await count(values).catch(() => serverUnreachable)));
  }

  function confirm() {
    startTransition(async () => {
      const result = await start(values).catch(() => serverUnreachable);
      if (result.ok) dialog.current?.close();
      else setMessage(result.message);
    });
  }

  const problem = counted?.ok === false ? counted.message : message;
  return (
    <>
      <Button look="secondary" onClick={open}>
        {kind === "retry" ? "Retry all of these…" : "Cancel all of these…"}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
      >
        <div className="grid gap-4">
          <h2 id={titleId} className="text-lg font-semibold break-words">
            {total === undefined ? "Counting…" : safeText(`${describeBulk(words, total)}?`)}
          </h2>
          <p className="text-sm text-muted-foreground">
            {kind === "retry"
              ? "Retries every run that matches the filter, on all pages, with the same Idempotency-Key and all attempts of its action. Runs that fail later aren't included."
              : "Cancels every run that matches the filter, on all pages. Requests in progress continue."}
          </p>
          {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="secondary" onClick={() => dialog.current?.close()}>
              {kind === "retry" ? "Cancel" : "Go back"}
            </Button>
            <Button
              look={kind === "retry" ? "primary" : "danger"}
              isBusy={isPending}
              disabled={total === undefined || total === 0}
              onClick={confirm}
            >
              {kind === "retry" ? "Retry" : "Cancel"}{" "}
              {total === undefined || total === null ? "all" : total.toLocaleString("en")}
            </Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
