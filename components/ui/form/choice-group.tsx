import { type ReactNode, useId } from "react";
import { classNames } from "#components/ui/class-names.ts";

type Choice<Value extends string> = {
  readonly value: Value;
  readonly title: string;
  readonly text?: ReactNode;
};

type ChoiceGroupProps<Value extends string> = {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Choice<Value>[];
  /** Null: nothing is chosen yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** Shows the choices side by side if there is room. */
  readonly columns?: 1 | 2;
  readonly error?: string | undefined;
};

/** Radio buttons, each with a description. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { label, name, choices, value, onChange, columns = 1, error } = props;
  const id = useId();
  return (
    <fieldset
      className="grid min-w-0 grid-cols-1 gap-1.5"
      aria-describedby={error && `${id}-error`}
    >
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className={classNames("grid grid-cols-1 gap-2", columns === 2 && "sm:grid-cols-2")}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={
              "flex cursor-pointer items-start gap-3 rounded-md border px-3.5 py-2.5 " +
              "has-checked:border-primary has-checked:bg-muted has-focus-visible:outline-2 " +
              "has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
            }
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-primary outline-none"
            />
            <span className="grid min-w-0 gap-0.5 text-sm">
              <span className="font-medium">{choice.title}</span>
              {choice.text !== undefined && (
                <span className="text-muted-foreground">{choice.text}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-negative">
          {error}
        </p>
      )}
    </fieldset>
  );
}
