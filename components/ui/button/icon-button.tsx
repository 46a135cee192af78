import { classNames } from "#components/ui/class-names.ts";
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
      className={classNames("icon-button", className)}
    />
  );
}
