import { TextField } from "#components/ui/form/field.tsx";

type FilterTextProps<Name extends string> = {
  readonly label: string;
  readonly name: Name;
  readonly form: {
    readonly values: Readonly<Record<Name, string>>;
    readonly problems: Readonly<Record<string, string>>;
  };
  readonly placeholder?: string;
};

/** A filter with a text that is matched as a whole. */
export function FilterText<Name extends string>(props: FilterTextProps<Name>) {
  const { label, name, form, placeholder = `Any ${label.toLowerCase()}` } = props;
  return (
    <TextField
      label={label}
      name={name}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      defaultValue={form.values[name]}
      error={form.problems[name]}
    />
  );
}
