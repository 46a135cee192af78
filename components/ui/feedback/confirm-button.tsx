"use client";

import { useState } from "react";
import { Button, type ButtonLook } from "#components/ui/button.tsx";
import { type Confirmation, ConfirmDialog } from "./confirm-dialog.tsx";

type ConfirmButtonProps = Confirmation & {
  readonly label: string;
  /** Where several stand on one page: what exactly this one is for. */
  readonly ariaLabel?: string;
  readonly look?: ButtonLook;
};

/** Asks before it does what can't be undone. */
export function ConfirmButton({
  label,
  ariaLabel,
  look = "danger",
  ...confirmation
}: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look={look} aria-label={ariaLabel} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog {...confirmation} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
