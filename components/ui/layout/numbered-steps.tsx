import type { ReactNode } from "react";

/** Instructions in order. */
export function NumberedSteps({ children }: { children: ReactNode }) {
  return <ol className="grid grid-cols-1 gap-5">{children}</ol>;
}

type NumberedStepProps = {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
};

export function NumberedStep({ number, title, children }: NumberedStepProps) {
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3">
      <span
        aria-hidden
        className="flex size-6 items-center justify-center rounded-full bg-muted text-xs font-semibold tabular-nums"
      >
        {number}
      </span>
      <div className="grid min-w-0 grid-cols-1 gap-2">
        <h3 className="pt-0.5 text-sm font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}
