"use client";

import { Menu, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "#components/ui/button/icon-button.tsx";

/**
 * The navigation of narrow screens, behind one button. The native dialog traps and restores the
 * focus.
 */
export function MenuSheet({ children }: { children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const pathname = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when another page opens
  useEffect(() => dialog.current?.close(), [pathname]);

  function open() {
    setIsOpen(true);
    dialog.current?.showModal();
  }

  return (
    <>
      <IconButton label="Menu" onClick={open}>
        <Menu aria-hidden size={18} />
      </IconButton>
      <dialog
        ref={dialog}
        aria-label="Menu"
        closedby="any"
        onClose={() => setIsOpen(false)}
        className={
          "mr-0 ml-auto h-dvh max-h-none w-72 max-w-[85vw] border-l " +
          "bg-card text-foreground backdrop:bg-black/50"
        }
      >
        {isOpen && (
          <div className="flex h-full flex-col gap-3 p-3">
            <div className="self-end">
              <IconButton label="Close menu" onClick={() => dialog.current?.close()}>
                <X aria-hidden size={18} />
              </IconButton>
            </div>
            {children}
          </div>
        )}
      </dialog>
    </>
  );
}
