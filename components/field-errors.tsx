import { safeText } from "./ui/safe-text.ts";

type FieldErrorsProps = {
  readonly id?: string;
  readonly errors: readonly string[];
  /** What mends an error with one click; null where nothing does. */
  readonly mend?: (error: string) => (() => void) | null;
};

/** What is wrong with a field, and where it can be, the button that mends it. */
export function FieldErrors({ id, errors, mend }: FieldErrorsProps) {
  return (
    <ul id={id} className="grid gap-0.5 text-sm break-words text-negative">
      {errors.map((error) => {
        const onMend = mend?.(error) ?? null;
        return (
          <li key={error}>
            {safeText(error)}
            {onMend !== null && (
              <>
                {" "}
                <button
                  type="button"
                  onClick={onMend}
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
