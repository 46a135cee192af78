"use client";

import { useState } from "react";
import { Button, type ButtonLook } from "#components/ui/button/button.tsx";
import { type Confirmation, ConfirmDialog } from "./confirm-dialog.tsx";

type ConfirmButtonProps = Confirmation & {
  readonly label: string;
  /** The accessible name, if a page has several such buttons. */
  readonly ariaLabel?: string;
  readonly look?: ButtonLook;
};

/** Asks for confirmation of a change that can't be undone. */
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
