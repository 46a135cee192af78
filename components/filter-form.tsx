"use client";

import { useRouter } from "next/navigation";
import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { TimeField } from "./time-field.tsx";
import { Button } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";

type Values = Readonly<Record<string, string>>;

type FilterFormProps = {
  /** What is filtered: "Runs". */
  readonly label: string;
  /** Of the page that the list stands on. */
  readonly path: string;
  readonly values: Values & {
    readonly since: string;
    readonly from: string;
    readonly to: string;
    readonly q: string;
  };
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  /** Where `q` looks. */
  readonly searches: string;
  /** "Received" */
  readonly timeLabel: string;
  readonly children: ReactNode;
  /** What can be done with all that is shown; stands beside the buttons. */
  readonly aside?: ReactNode;
};

/**
 * Filters stand in the address, so that a list can be shared. A choice counts at once, text with Enter. Without scripts the form does the
 * same by itself.
 */
export function FilterForm(props: FilterFormProps) {
  const { label, path, values, problems, isFiltered, searches, timeLabel, children, aside } = props;
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [since, setSince] = useState(values.since);
  const [isPending, startTransition] = useTransition();

  const inAddress = JSON.stringify(values);
  // The address may change beneath the form: by "Clear", by the browser's way back. What is being typed stays.
  useEffect(() => {
    const now = JSON.parse(inAddress) as Values;
    setSince(now.since ?? "");
    for (const [name, value] of Object.entries(now)) {
      const field = form.current?.elements.namedItem(name);
      // A hidden one follows by itself.
      const isInput = field instanceof HTMLInputElement && field.type !== "hidden";
      const isField = isInput || field instanceof HTMLSelectElement;
      if (isField && field !== document.activeElement) field.value = value;
    }
  }, [inAddress]);

  function apply() {
    if (form.current === null) return;
    const given = [...new FormData(form.current)]
      .map(([name, value]) => [name, String(value)] as [string, string])
      .filter(([, value]) => value !== "");
    startTransition(() =>
      router.push(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`, { scroll: false }),
    );
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    apply();
  }

  function onChange(event: ChangeEvent<HTMLFormElement>) {
    const field: unknown = event.target;
    if (!(field instanceof HTMLSelectElement)) return;
    if (field.name === "since") setSince(field.value);
    // Two times have to be given first.
    if (field.value !== "between") apply();
  }

  return (
    <form
      ref={form}
      method="get"
      action={path}
      onSubmit={onSubmit}
      onChange={onChange}
      aria-label={label}
      aria-busy={isPending}
      className="grid gap-3"
    >
      {problems.cursor !== undefined && (
        <Notice tone="negative">This address is not a page of the list.</Notice>
      )}
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-3 xl:grid-cols-[minmax(0,1.4fr)_repeat(5,minmax(0,1fr))]">
        <div className="col-span-2 md:col-span-1">
          <TextField
            label="Search"
            name="q"
            type="search"
            placeholder={searches}
            defaultValue={values.q}
            error={problems.q}
          />
        </div>
        {children}
        <SelectField label={timeLabel} name="since" defaultValue={values.since}>
          <option value="">Any time</option>
          <option value="1h">Last hour</option>
          <option value="24h">Last 24 hours</option>
          <option value="7d">Last 7 days</option>
          <option value="30d">Last 30 days</option>
          <option value="between">Between two times</option>
        </SelectField>
        {since === "between" && (
          // A column is narrower than the browser's own field for a time.
          <div className="col-span-full flex flex-wrap gap-3">
            <div className="w-full sm:w-60">
              <TimeField label="From" name="from" value={values.from} error={problems.from} />
            </div>
            <div className="w-full sm:w-60">
              <TimeField label="To" name="to" value={values.to} error={problems.to} />
            </div>
          </div>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="secondary" worksAlone isBusy={isPending}>
          Filter
        </Button>
        {isFiltered && (
          <Button look="quiet" onClick={() => startTransition(() => router.push(path, { scroll: false }))}>
            Clear
          </Button>
        )}
        {aside !== undefined && <div className="ml-auto">{aside}</div>}
      </div>
    </form>
  );
}
