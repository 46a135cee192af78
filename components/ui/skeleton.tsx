import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** What stands where something comes: `className` gives it that thing's size, so that nothing jumps. */
export function Skeleton({ className }: { className: string }) {
  return <div className={classNames("rounded-md bg-muted", className)} />;
}

/** A page on its way: said once to who can't see it. */
export function LoadingPage({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid animate-pulse content-start gap-8 motion-reduce:animate-none"
    >
      {children}
    </div>
  );
}
