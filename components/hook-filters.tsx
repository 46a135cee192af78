"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ChangeEvent, type FormEvent, useEffect, useRef, useTransition } from "react";
import { hookStatusWords } from "./hook-status.ts";
import { Button, buttonClasses } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";

type HookFiltersProps = { readonly values: { readonly q: string; readonly status: string } };

/** They stand in the address, so that a list can be shared. A choice counts at once, text with Enter. Without scripts the form does the same by itself. */
export function HookFilters({ values }: HookFiltersProps) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [isPending, startTransition] = useTransition();

  const inAddress = JSON.stringify(values);
  // The address may change beneath the form: by "Clear", by the browser's way back. What is being typed stays.
  useEffect(() => {
    for (const [name, value] of Object.entries(JSON.parse(inAddress) as Record<string, string>)) {
      const field = form.current?.elements.namedItem(name);
      const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      if (isField && field !== document.activeElement) field.value = value;
    }
  }, [inAddress]);

  function onChange(event: ChangeEvent<HTMLFormElement>) {
    const field: unknown = event.target;
    if (field instanceof HTMLSelectElement) form.current?.requestSubmit();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = [...form].map(([name, value]) => [name, String(value)]).filter(([, value]) => value !== "");
    startTransition(() =>
      router.push(given.length === 0 ? "/hooks" : `/hooks?${new URLSearchParams(given)}`),
    );
  }

  const isFiltered = values.q !== "" || values.status !== "";
  return (
    <form
      ref={form}
      method="get"
      action="/hooks"
      onChange={onChange}
      onSubmit={onSubmit}
      aria-label="Hooks"
      className="flex flex-wrap items-end gap-3"
    >
      <div className="min-w-0 flex-1 basis-56 sm:max-w-sm">
        <TextField
          label="Search"
          name="q"
          type="search"
          placeholder="Name, sender or catch URL"
          defaultValue={values.q}
        />
      </div>
      <div className="basis-44">
        <SelectField label="Status" name="status" defaultValue={values.status}>
          <option value="">Any</option>
          {Object.entries(hookStatusWords).map(([status, { words }]) => (
            <option key={status} value={status}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" look="secondary" isBusy={isPending} worksAlone>
        Filter
      </Button>
      {isFiltered && (
        <Link href="/hooks" className={buttonClasses("quiet")}>
          Clear
        </Link>
      )}
    </form>
  );
}
