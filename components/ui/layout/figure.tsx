import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { Card } from "./card.tsx";

type FigureProps = {
  readonly name: string;
  readonly value: ReactNode;
  /** A small plot beside the value. */
  readonly plot?: ReactNode;
  readonly children: ReactNode;
};

/** A key figure with its details, in a description list. */
export function Figure({ name, value, plot, children }: FigureProps) {
  return (
    <Card className="grid content-start gap-1 p-4">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd
        className={
          "flex flex-wrap items-end justify-between gap-x-3 gap-y-1 text-2xl font-semibold " +
          "tracking-tight tabular-nums"
        }
      >
        {value}
        {plot}
      </dd>
      <dd className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted-foreground">
        {children}
      </dd>
    </Card>
  );
}

type DetailProps = {
  readonly href: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
};

export function Detail({ href, isBad = false, children }: DetailProps) {
  return (
    <Link
      href={href}
      className={classNames(
        "inline-flex min-h-6 items-center rounded-sm tabular-nums",
        "underline underline-offset-4 decoration-border hover:decoration-current",
        isBad && "text-negative",
      )}
    >
      {children}
    </Link>
  );
}

export function count(value: number): string {
  return value.toLocaleString("en");
}
