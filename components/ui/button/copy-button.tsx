"use client";

import { Check, Copy } from "lucide-react";
import { useCopy } from "#components/ui/use-copy.ts";
import { Button, type ButtonLook } from "./button.tsx";

type CopyButtonProps = {
  readonly text: string;
  /** The thing that is copied, as in "Copy catch URL". */
  readonly what: string;
  readonly look?: ButtonLook;
  readonly label?: string;
};

/** Copies on click and confirms it. */
export function CopyButton({
  text: copied,
  what,
  look = "secondary",
  label = "Copy",
}: CopyButtonProps) {
  const { outcome, copy } = useCopy();
  const isCopied = outcome === "copied";
  const text = isCopied ? "Copied" : outcome === "failed" ? "Not copied" : label;
  // The accessible name must contain the visible text, which is short if the context says what is
  // copied.
  const name = outcome === undefined ? `Copy ${what}` : `${text}: ${what}`;
  return (
    <Button look={look} className="min-w-25" onClick={() => copy(copied)} aria-label={name}>
      {isCopied ? <Check aria-hidden size={15} /> : <Copy aria-hidden size={15} />}
      <span aria-live="polite">{text}</span>
    </Button>
  );
}
