"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";

type CopyButtonProps = {
  readonly text: string;
  /** What is copied, as in "Copy catch URL". */
  readonly what: string;
  readonly look?: ButtonLook;
};

/** Copies on one click and says that it did. */
export function CopyButton({ text, what, look = "secondary" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();

  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    setOutcome((await writeClipboard(text)) ? "copied" : "failed");
  }

  const isCopied = outcome === "copied";
  return (
    <Button look={look} onClick={copy} aria-label={`Copy ${what}`}>
      {isCopied ? <Check aria-hidden size={15} /> : <Copy aria-hidden size={15} />}
      <span aria-live="polite" className="min-w-12 text-left">
        {isCopied ? "Copied" : outcome === "failed" ? "Press Ctrl-C" : "Copy"}
      </span>
    </Button>
  );
}

/** Browsers give the clipboard to https and localhost only; elsewhere the old way still works. */
async function writeClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Denied: the old way below may still be allowed.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
