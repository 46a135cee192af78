"use client";

import { useEffect } from "react";
import { writeClipboard } from "#components/ui/use-copy.ts";

const shownMs = 2_000;

/** Makes the Copy buttons of the page's code work. They are hidden without scripts. */
export function CopyCode({ page }: { readonly page: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other buttons
  useEffect(() => {
    const buttons = document.querySelectorAll<HTMLButtonElement>("button[data-copy]");
    for (const button of buttons) {
      button.hidden = false;
      button.onclick = () => void copyCode(button);
    }
  }, [page]);
  return null;
}

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const isCopied = await writeClipboard(
    button.parentElement?.querySelector("pre")?.textContent ?? "",
  );
  const words = button.querySelector("span");
  if (words === null) return;
  words.textContent = isCopied ? "Copied" : "Not copied";
  setTimeout(() => {
    words.textContent = "Copy";
  }, shownMs);
}
