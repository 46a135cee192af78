"use client";

import { Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { BacktestFormProps } from "./backtest-form.tsx";

const BacktestForm = lazyPart("BacktestForm", () => import("./backtest-form.tsx"));

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
