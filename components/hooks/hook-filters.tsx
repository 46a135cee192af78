import { FilterForm } from "#components/lists/filter-form.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { hookStatusWords } from "./hook-status.ts";

type HookFiltersProps = { readonly values: { readonly q: string; readonly status: string } };

export function HookFilters({ values }: HookFiltersProps) {
  const isFiltered = values.q !== "" || values.status !== "";
  return (
    <FilterForm
      label="Hooks"
      path="/hooks"
      values={values}
      isFiltered={isFiltered}
      searches="Name, provider, or catch URL"
    >
      <SelectField label="Status" name="status" defaultValue={values.status}>
        <option value="">Any status</option>
        {Object.entries(hookStatusWords).map(([status, { words }]) => (
          <option key={status} value={status}>
            {words}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  );
}
