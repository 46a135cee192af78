"use client";

import { Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { TakeInFormProps } from "./take-in-form.tsx";

const TakeInForm = lazyPart("TakeInForm", () => import("./take-in-form.tsx"));

type TakeInDialogProps = Omit<TakeInFormProps, "onClose"> & {
  /** The provider's. */
  readonly name: string;
};

/** Stores what is missing as deliveries, after asking how. */
export function TakeInDialog(props: TakeInDialogProps) {
  const { name, isAskedAgain } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {isAskedAgain ? "Ask for them again…" : "Take in…"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={isAskedAgain ? `Ask ${name} to send them again` : "Take in missing events"}
      >
        <Suspense>
          <TakeInForm {...props} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
