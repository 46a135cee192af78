import { classNames } from "./class-names.ts";
import { ReadyButton, type ReadyButtonProps } from "./ready-button.tsx";

type IconButtonProps = Omit<ReadyButtonProps, "aria-label" | "title"> & {
  /** The accessible name and the tooltip. */
  readonly label: string;
};

/** A button with only an icon. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <ReadyButton
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted-foreground transition-colors hover:bg-muted hover:text-foreground disabled:not-data-waiting:cursor-not-allowed disabled:not-data-waiting:opacity-60",
        className,
      )}
    />
  );
}
