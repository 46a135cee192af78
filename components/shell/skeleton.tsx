import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";

/** A placeholder while loading. `className` gives it the final size, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classNames("skeleton", className)} />;
}

/** A loading page, announced once to screen readers. */
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
