import { classNames } from "#components/ui/class-names.ts";
import { ReadyButton, type ReadyButtonProps } from "./ready-button.tsx";

export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";

type ButtonProps = ReadyButtonProps & {
  readonly look?: ButtonLook;
  /** The button is in progress: it can't be pressed again, and shows that. */
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

/** The classes of links that look like buttons. */
export function buttonClasses(look: ButtonLook = "primary", className?: string): string {
  return classNames("button", `button-${look}`, className);
}

function Spinner() {
  return (
    <span
      aria-hidden
      className={
        "absolute inset-0 m-auto size-3.5 animate-spin rounded-full border-2 " +
        "border-current border-t-transparent motion-reduce:animate-none"
      }
    />
  );
}
