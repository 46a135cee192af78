import type { ReactNode } from "react";

/** An empty list or page: says what would be here and what to do next. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      <div className="grid max-w-md justify-items-center gap-4 text-sm text-balance text-muted-foreground">
        {children}
      </div>
    </div>
  );
}
