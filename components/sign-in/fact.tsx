import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";

export type FactProps = {
  readonly name: string;
  readonly note?: string;
  /** The note is a reason to look twice. */
  readonly isOdd?: boolean;
  readonly children: ReactNode;
};

/** One line of what a person sees before they let a program in. */
export function Fact({ name, note, isOdd = false, children }: FactProps) {
  return (
    <div className="grid min-w-0 gap-x-3 gap-y-0.5 sm:grid-cols-[6.5rem_1fr]">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {children}
        {note !== undefined && (
          <span className={classNames("block", isOdd ? "text-caution" : "text-muted-foreground")}>
            {note}
          </span>
        )}
      </dd>
    </div>
  );
}
