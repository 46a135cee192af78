"use client";

import { Suspense, useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { ShownChange } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

const VersionDiff = lazyPart("VersionDiff", () => import("../versions/version-diff.tsx"));

type ShowVersionChangesProps = {
  readonly from: number;
  readonly show: () => Promise<CommandResult<readonly ShownChange[]>>;
};

/** Shows what was saved since a version, without leaving the editor. */
export function ShowVersionChanges({ from, show }: ShowVersionChangesProps) {
  const [result, setResult] = useState<CommandResult<readonly ShownChange[]>>();
  const [isPending, startTransition] = useTransition();

  function open() {
    startTransition(async () => {
      const next = await show().catch(() => serverUnreachable);
      startTransition(() => setResult(next));
    });
  }

  const close = () => setResult(undefined);
  return (
    <>
      <Button look="secondary" className="h-8" isBusy={isPending} onClick={open}>
        Show what changed
      </Button>
      <Dialog
        isOpen={result !== undefined}
        onClose={close}
        title={`Saved since version ${from}`}
        isWide
      >
        {result?.ok === true && (
          <Suspense>
            <VersionDiff changes={result.value} empty="Nothing but the order of fields changed." />
          </Suspense>
        )}
        {result?.ok === false && <Notice tone="negative">{result.message}</Notice>}
        <DialogButtons>
          <Button look="secondary" onClick={close}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
