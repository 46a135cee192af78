import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";

/** A section of a long form, with a title. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-1 gap-4 border-t pt-5 first:border-t-0 first:pt-0"
    >
      <div className="grid gap-1">
        <h3 id={id} className="text-sm font-semibold">
          {title}
        </h3>
        {hint !== undefined && <p className="text-sm text-muted-foreground">{hint}</p>}
      </div>
      {children}
    </section>
  );
}

type FormDisclosureProps = {
  readonly title: string;
  /** The current value, so that users don't have to open the section. */
  readonly summary: string;
  /** True if something in it is invalid. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
};

/** A section that most users don't change. Collapsed, it shows a summary. */
export function FormDisclosure({ title, summary, isOpen, children }: FormDisclosureProps) {
  return (
    <details open={isOpen || undefined} className="group border-t pt-4">
      <summary
        className={
          "flex cursor-pointer items-start gap-2 rounded-md " +
          "marker:content-none [&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={16}
          className="mt-0.5 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
        <span className="grid gap-0.5">
          <span className="text-sm font-semibold">{title}</span>
          <span className="text-sm text-muted-foreground">{summary}</span>
        </span>
      </summary>
      <div className="grid min-w-0 grid-cols-1 gap-4 pt-4 sm:pl-6">{children}</div>
    </details>
  );
}
