"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { BacktestFormProps } from "./backtest-form.tsx";

// Loaded on first use, so that it doesn't slow down the editor.
const BacktestForm = lazy(async () => {
  const { BacktestForm: loaded } = await import("./backtest-form.tsx");
  return { default: loaded };
});

type BacktestDialogProps = Omit<BacktestFormProps, "onCancel"> & { readonly title: string };

/** Asks for the deliveries and the version to compare with, and starts a backtest. */
export function BacktestDialog({ title, onStarted, ...props }: BacktestDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  function onDone(id: string) {
    close();
    onStarted(id);
  }

  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Backtest…
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={title}>
        <Suspense>
          <BacktestForm {...props} onStarted={onDone} onCancel={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
