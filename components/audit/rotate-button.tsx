"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { SecretShown } from "./receiver-button.tsx";

type RotateButtonProps = {
  readonly rotate: () => Promise<CommandResult<{ readonly secret: string | null }>>;
};

/** The button that makes a new secret for the receiver of the audit log. */
export function RotateButton({ rotate }: RotateButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Rotate secret
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Rotate the signing secret" isWide>
        <Question rotate={rotate} onClose={close} />
      </Dialog>
    </>
  );
}

function Question({ rotate, onClose }: RotateButtonProps & { onClose: () => void }) {
  const [result, setResult] = useState<Awaited<ReturnType<typeof rotate>>>();
  const [isPending, startTransition] = useTransition();
  const run = () =>
    startTransition(async () => {
      const next = await rotate().catch(() => serverUnreachable);
      startTransition(() => setResult(next));
    });
  if (result?.ok === true && result.value.secret !== null)
    return <SecretShown secret={result.value.secret} onClose={onClose} />;
  return (
    <>
      <p className="text-sm text-muted-foreground">
        The old secret stops signing at once. What the receiver rejects until it has the new one is
        sent again.
      </p>
      {result?.ok === false && <Notice tone="negative">{result.message}</Notice>}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button isBusy={isPending} onClick={run}>
          Rotate secret
        </Button>
      </DialogButtons>
    </>
  );
}
