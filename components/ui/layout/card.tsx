import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";

export function Card({
  className,
  children,
}: {
  className?: string | undefined;
  children: ReactNode;
}) {
  return <div className={classNames("rounded-lg border bg-card", className)}>{children}</div>;
}
