"use client";

import { useId, useRef, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { describeAccept } from "./describe-accept.ts";

type Values = Readonly<Record<string, string>>;

export type AcceptAllProps = {
  /** The filters of the list, as in its URL. */
  readonly values: Values;
  /** Null: too many to count. */
  readonly count: (values: Values) => Promise<CommandResult<number | null>>;
  readonly start: (values: Values) => Promise<CommandResult<null>>;
};

/**
 * Accepts all rejected deliveries that match the filter and verify now, on all pages. First says
 * how many.
 */
export function AcceptAll({ values, count, start }: AcceptAllProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [counted, setCounted] = useState<CommandResult<number | null>>();
  const [message, setMessage] = useState<string>();
  const [isPending, startTransition] = useTransition();
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
        Accept and run all…
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-card p-6 text-foreground backdrop:bg-black/50"
      >
        <div className="grid gap-4">
          <h2 id={titleId} className="text-lg font-semibold break-words">
            {total === undefined ? "Counting…" : `${describeAccept(total)}?`}
          </h2>
          <p className="text-sm text-muted-foreground">
            Every delivery that matches the filter, on all pages, is verified again with its hook’s
            current settings, whenever it was sent. Those that verify are accepted and their actions
            run. Duplicates run nothing, and the others stay rejected.
          </p>
          {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="secondary" onClick={() => dialog.current?.close()}>
              Cancel
            </Button>
            <Button
              look="primary"
              isBusy={isPending}
              disabled={total === undefined || total === 0}
              onClick={confirm}
            >
              Accept and run{" "}
              {total === undefined || total === null ? "all" : total.toLocaleString("en")}
            </Button>
          </div>
        </div>
      </dialog>
    </>
  );
}
