import { useId } from "react";
import { classNames } from "./ui/class-names.ts";
import { safeText } from "./ui/safe-text.ts";

type TemplateFieldProps = {
  readonly label: string;
  /** The label is read out only: it stands above a column of such fields. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly place?: "text" | "json";
  readonly placeholder?: string;
  readonly hint?: string;
  readonly errors?: readonly string[];
};

/** A field that takes `{{ … }}`: a click on the payload writes into the one that was used last. */
export function TemplateField(props: TemplateFieldProps) {
  const { label, isLabelHidden = false, value, onChange, rows, place = "text", placeholder, hint } = props;
  const errors = props.errors ?? [];
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(
    Boolean,
  );
  const shared = {
    id,
    value,
    placeholder,
    spellCheck: false,
    autoComplete: "off",
    "data-template": place,
    "aria-invalid": errors.length > 0,
    "aria-describedby": describedBy.length === 0 ? undefined : describedBy.join(" "),
  };
  return (
    <div className="grid min-w-0 flex-1 gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(control, "h-9")}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(control, "py-2")}
        />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {hint}
        </p>
      )}
      {errors.length > 0 && <FieldErrors id={`${id}-errors`} errors={errors} />}
    </div>
  );
}

export function FieldErrors({ id, errors }: { id?: string; errors: readonly string[] }) {
  return (
    <ul id={id} className="grid gap-0.5 text-sm break-words text-negative">
      {errors.map((error) => (
        <li key={error}>{safeText(error)}</li>
      ))}
    </ul>
  );
}

const control =
  "w-full rounded-md border border-input bg-card px-3 font-mono text-xs placeholder:text-muted-foreground aria-invalid:border-negative";
