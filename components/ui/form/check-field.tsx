import type { ReactNode } from "react";

type CheckFieldProps = {
  readonly label: ReactNode;
  /** An explanation below the label. */
  readonly text?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
};

/** A checkbox with a label. */
export function CheckField({ label, text, checked, onChange, disabled = false }: CheckFieldProps) {
  return (
    <label className="flex min-h-6 items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-primary"
      />
      {text === undefined ? (
        <span className="min-w-0">{label}</span>
      ) : (
        <span className="grid min-w-0 gap-0.5">
          <span className="font-medium">{label}</span>
          <span className="text-muted-foreground">{text}</span>
        </span>
      )}
    </label>
  );
}
