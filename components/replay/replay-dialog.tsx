"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import type { ReplayFormProps } from "./replay-form.tsx";

const ReplayForm = lazyPart("ReplayForm", () => import("./replay-form.tsx"));

type ReplayDialogProps = Omit<ReplayFormProps, "onCancel"> & {
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Runs an action on many past deliveries. It first shows how many, and what they would send. */
export function ReplayDialog({ isOpen, onClose, ...form }: ReplayDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Replay past deliveries" isWide>
      <Suspense>
        <ReplayForm {...form} onCancel={onClose} />
      </Suspense>
    </Dialog>
  );
}
