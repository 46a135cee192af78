import { Check, Circle, Clock, Minus, X } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { Tone } from "#components/ui/status/badge.tsx";

export type Sign = "done" | "failed" | "waiting" | "passed" | "now";

/** Events in order. */
export function Timeline({ children }: { children: ReactNode }) {
  return <ol className="grid grid-cols-1">{children}</ol>;
}

type StepProps = {
  /** The fragment of links to it. */
  readonly id?: string;
  readonly sign: Sign;
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
};

export function Step({ id, sign, title, aside, children }: StepProps) {
  const { Icon, tone } = signs[sign];
  return (
    <li id={id} className="group relative flex scroll-mt-16 gap-3 pb-5 last:pb-0">
      <span
        aria-hidden
        className="absolute top-6 bottom-0 left-[11px] w-px bg-border group-last:hidden"
      />
      <span
        aria-hidden
        className={classNames(
          "mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full",
          grounds[tone],
        )}
      >
        <Icon size={13} strokeWidth={2.5} />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5 pt-0.5">
        <div className="flex items-baseline justify-between gap-x-3">
          <p className="min-w-0 text-sm font-medium break-words">{title}</p>
          {aside !== undefined && (
            <span className="shrink-0 text-xs text-muted-foreground">{aside}</span>
          )}
        </div>
        {children !== undefined && (
          <div className="grid min-w-0 grid-cols-1 gap-2 text-sm text-muted-foreground">
            {children}
          </div>
        )}
      </div>
    </li>
  );
}

const signs: Readonly<Record<Sign, { Icon: typeof Check; tone: Tone }>> = {
  done: { Icon: Check, tone: "positive" },
  failed: { Icon: X, tone: "negative" },
  waiting: { Icon: Clock, tone: "caution" },
  passed: { Icon: Minus, tone: "neutral" },
  now: { Icon: Circle, tone: "neutral" },
};

const grounds: Readonly<Record<Tone, string>> = {
  neutral: "bg-muted text-muted-foreground",
  positive: "bg-positive-ground text-positive",
  caution: "bg-caution-ground text-caution",
  negative: "bg-negative-ground text-negative",
};
