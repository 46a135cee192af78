"use client";

import { type ReactNode, Suspense, useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useOpenedBy } from "#components/ui/use-opened-by.ts";
import type { CommandRejection, CommandResult } from "#lib/schema/field/command-result.ts";
import { type LimitInput, trialOnly } from "./limit-input.ts";

const LimitFields = lazyPart("LimitFields", () => import("./limit-fields.tsx"));

/** The filters of a list, as in its URL. */
export type FilterValues = Readonly<Record<string, string>>;

export type BulkCommands = {
  /** Counts the matches. Null: too many to count. */
  readonly count: (values: FilterValues) => Promise<CommandResult<number | null>>;
  readonly start: (values: FilterValues, limits: LimitInput) => Promise<CommandResult<null>>;
};

type BulkDialogProps = BulkCommands & {
  readonly values: FilterValues;
  /** The content of the button that opens the dialog. */
  readonly label: ReactNode;
  readonly title: (total: number | null) => string;
  /** A description of what happens. */
  readonly children: ReactNode;
  /** The texts of the buttons that close the dialog and that start. The number follows the verb. */
  readonly back: string;
  readonly verb: string;
  readonly isDanger?: boolean;
  /** The name by which an address opens it. Default: none does. */
  readonly opensBy?: string;
  /** True if the job queues runs, which it can try first and pace. */
  readonly hasLimits?: boolean;
};

/**
 * A dialog for everything that matches a list's filter, on all pages. It first says how many items
 * match.
 */
export function BulkDialog(props: BulkDialogProps) {
  const { values, count, start, label, title, children, back, verb } = props;
  const { isDanger = false, hasLimits = false, opensBy = "" } = props;
  const [isOpen, setOpen] = useState(false);
  const [counted, setCounted] = useState<CommandResult<number | null>>();
  const [rejection, setRejection] = useState<CommandRejection>();
  const [limits, setLimits] = useState(trialOnly);
  const [isPending, startTransition] = useTransition();
  const total = counted?.ok === true ? counted.value : undefined;

  function open() {
    setCounted(undefined);
    setRejection(undefined);
    setLimits(trialOnly);
    setOpen(true);
    startTransition(async () => {
      const result = await count(values).catch(() => serverUnreachable);
      startTransition(() => setCounted(result));
    });
  }

  function confirm() {
    startTransition(async () => {
      const result = await start(values, limits).catch(() => serverUnreachable);
      startTransition(() => (result.ok ? setOpen(false) : setRejection(result)));
    });
  }

  useOpenedBy(opensBy, open);

  const problem = counted?.ok === false ? counted.message : rejection?.message;
  return (
    <>
      <span data-commands="list" className="contents">
        <Button look="secondary" onClick={open}>
          {label}
        </Button>
      </span>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={total === undefined ? "Counting…" : safeText(`${title(total)}?`)}
        isWide={hasLimits}
      >
        <p className="text-sm text-muted-foreground">{children}</p>
        {hasLimits && (
          <Suspense>
            <LimitFields value={limits} onChange={setLimits} errors={rejection?.errors ?? []} />
          </Suspense>
        )}
        {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
        <DialogButtons>
          <Button look="secondary" onClick={() => setOpen(false)}>
            {back}
          </Button>
          <Button
            look={isDanger ? "danger" : "primary"}
            isBusy={isPending}
            disabled={total === undefined || total === 0}
            onClick={confirm}
          >
            {verb} {total === undefined || total === null ? "all" : total.toLocaleString("en")}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
