import { safeText } from "#components/ui/text/safe-text.ts";

type FieldErrorsProps = {
  readonly id?: string;
  readonly errors: readonly string[];
  /** The ways to fix the error with this index. */
  readonly fixes?: (index: number) => readonly Fix[];
};

type Fix = { readonly label: string; readonly apply: () => void };

/** A field's errors, with buttons that fix them where possible. */
export function FieldErrors({ id, errors, fixes }: FieldErrorsProps) {
  return (
    <ul id={id} className="grid gap-0.5 text-sm break-words text-negative">
      {errors.map((error, index) => (
        <li key={error}>
          {safeText(error)}
          {fixes?.(index).map(({ label, apply }, at) => (
            <span key={label}>
              {at === 0 ? " " : " · "}
              <button
                type="button"
                onClick={apply}
                className="rounded-sm text-left font-medium underline underline-offset-4"
              >
                {safeText(label)}
              </button>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
