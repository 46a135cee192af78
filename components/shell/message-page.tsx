import type { ReactNode } from "react";

/** A centered message: not found, or an error. The caller chooses the landmark. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      className={
        "mx-auto grid min-h-[60vh] max-w-md content-center " +
        "justify-items-center gap-3 px-4 py-10 text-center"
      }
    >
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <div className="grid justify-items-center gap-5 text-sm text-balance text-muted-foreground">
        {children}
      </div>
    </div>
  );
}
