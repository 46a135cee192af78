"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { hasKeyShortcuts } from "#components/palette/shortcut-setting.ts";
import { isPlainKey, shortcutPauseMs } from "#components/palette/use-shortcuts.ts";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";

type NeighborLinksProps = { readonly newerId: string | null; readonly olderId: string | null };

/** Links to the neighbors of this delivery in the list: j for the older, k for the newer. */
export function NeighborLinks({ newerId, olderId }: NeighborLinksProps) {
  const router = useRouter();

  useEffect(() => {
    const targets: Readonly<Record<string, string | null>> = { j: olderId, k: newerId };
    let lastG = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPlainKey(event) || !hasKeyShortcuts()) return;
      if (event.key === "g") lastG = event.timeStamp;
      // After a `g` the key is part of another shortcut.
      if (event.timeStamp - lastG < shortcutPauseMs) return;
      const id = targets[event.key] ?? null;
      if (id === null) return;
      event.preventDefault();
      router.push(`/deliveries/${id}`);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [router, newerId, olderId]);

  return (
    <nav aria-label="Nearby deliveries" className="flex gap-1">
      <NeighborLink id={newerId} label="Newer delivery (k)">
        <ChevronLeft aria-hidden size={16} />
      </NeighborLink>
      <NeighborLink id={olderId} label="Older delivery (j)">
        <ChevronRight aria-hidden size={16} />
      </NeighborLink>
    </nav>
  );
}

function NeighborLink({
  id,
  label,
  children,
}: {
  id: string | null;
  label: string;
  children: React.ReactNode;
}) {
  const classes = buttonClasses("secondary", "w-9 px-0!");
  if (id === null) return <span className={`${classes} opacity-40`}>{children}</span>;
  return (
    <Link href={`/deliveries/${id}`} aria-label={label} title={label} className={classes}>
      {children}
    </Link>
  );
}
