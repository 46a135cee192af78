import { safeText } from "#components/ui/text/safe-text.ts";

type FieldErrorsProps = {
  readonly id?: string;
  readonly errors: readonly string[];
  /** Returns a function that fixes the error with this index, or null. */
  readonly fix?: (index: number) => (() => void) | null;
};

/** A field's errors, with a button that fixes them where possible. */
export function FieldErrors({ id, errors, fix }: FieldErrorsProps) {
  return (
    <ul id={id} className="grid gap-0.5 text-sm break-words text-negative">
      {errors.map((error, index) => {
        const onFix = fix?.(index) ?? null;
        return (
          <li key={error}>
            {safeText(error)}
            {onFix !== null && (
              <>
                {" "}
                <button
                  type="button"
                  onClick={onFix}
                  className="rounded-sm font-medium underline underline-offset-4"
                >
                  Use a default
                </button>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
