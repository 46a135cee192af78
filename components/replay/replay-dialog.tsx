"use client";

import { Suspense, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { ReplayFormProps } from "./replay-form.tsx";

const ReplayForm = lazyPart("ReplayForm", () => import("./replay-form.tsx"));

/** Runs an action on many past deliveries. It first shows how many, and what they would send. */
export function ReplayDialog(props: Omit<ReplayFormProps, "onCancel">) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Replay…
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Replay past deliveries" isWide>
        <Suspense>
          <ReplayForm {...props} onCancel={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
