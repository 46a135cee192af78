"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { hookStatusWords } from "./hook-status.ts";
import { Button, buttonClasses } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";

type HookFiltersProps = { readonly values: { readonly q: string; readonly status: string } };

/** They stand in the address, so that a list can be shared. Without scripts the form does the same by itself. */
export function HookFilters({ values }: HookFiltersProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

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
      method="get"
      action="/hooks"
      onSubmit={onSubmit}
      aria-label="Hooks"
      className="flex flex-wrap items-end gap-3"
    >
      <div className="min-w-0 flex-1 basis-56 sm:max-w-sm">
        <TextField
          label="Text"
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
