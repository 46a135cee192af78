import { classNames } from "./class-names.ts";
import { ReadyButton, type ReadyButtonProps } from "./ready-button.tsx";

export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";

export type ButtonProps = ReadyButtonProps & {
  readonly look?: ButtonLook;
  /** In progress: it can't be pressed again, and shows it. */
  readonly isBusy?: boolean;
};

export function Button({
  look = "primary",
  isBusy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <ReadyButton
      {...rest}
      // Not `disabled`: browsers remove the focus from disabled buttons.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClasses(look, className), isBusy && "relative")}
    >
      {isBusy ? (
        <>
          <Spinner />
          {/* Hidden but present, for the accessible name and the width. */}
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </ReadyButton>
  );
}

/** For links that look like buttons. */
export function buttonClasses(look: ButtonLook = "primary", className?: string): string {
  return classNames(base, looks[look], className);
}

const base =
  "inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md px-3.5 text-sm font-medium whitespace-nowrap transition-colors disabled:not-data-waiting:cursor-not-allowed disabled:not-data-waiting:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60";

const looks: Record<ButtonLook, string> = {
  primary: "bg-primary text-primary-foreground hover:bg-primary-hover",
  secondary: "border bg-card text-foreground hover:bg-muted",
  quiet: "text-muted-foreground hover:bg-muted hover:text-foreground",
  danger: "border text-negative hover:bg-negative-ground",
};

function Spinner() {
  return (
    <span
      aria-hidden
      className="absolute inset-0 m-auto size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent motion-reduce:animate-none"
    />
  );
}
