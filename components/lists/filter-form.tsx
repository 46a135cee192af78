"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { useRouter } from "next/navigation";
import {
  type ChangeEvent,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useTransition,
} from "react";
import { Button } from "#components/ui/button/button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { TimeField } from "./time-field.tsx";

type Values = Readonly<Record<string, string>>;

/** The filters of a list, as they are in the URL. */
export type Filters<Name extends string> = {
  readonly values: Readonly<Record<Name | "q" | "since" | "from" | "to", string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
};

type FilterFormProps = {
  /** The things that are filtered: "Runs". */
  readonly label: string;
  /** The path of the page with the list. */
  readonly path: string;
  readonly values: Values & { readonly q: string };
  readonly problems?: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  /** The fields that `q` searches. */
  readonly searches: string;
  /** The label of the time filter, such as "Received". Omitted: no time filter. */
  readonly timeLabel?: string;
  /** The usual filters of the list, in one row with the search. */
  readonly children?: ReactNode;
  /** Rarer filters, behind "More". */
  readonly more?: { readonly names: readonly string[]; readonly fields: ReactNode };
  /** Parameters of the URL that are no filters, such as columns. Clearing the filters keeps them. */
  readonly kept?: Values;
  /** Controls of the whole list, after the filters. They aren't part of the form. */
  readonly aside?: ReactNode;
};

/** The pause is long enough to continue typing. */
const typingPauseMs = 350;
const none: Values = {};

/**
 * Filters are in the URL, so that a list can be shared. They apply on change: choices immediately,
 * text after a pause or with Enter. On phones all but the search are behind a button. Without
 * scripts the form is submitted as is.
 */
export function FilterForm(props: FilterFormProps) {
  const {
    label,
    path,
    values,
    problems = {},
    isFiltered,
    searches,
    timeLabel,
    children,
    more,
    kept = none,
    aside,
  } = props;
  const router = useRouter();
  const panelId = useId();
  const form = useRef<HTMLFormElement>(null);
  const typing = useRef<{ timer?: ReturnType<typeof setTimeout>; field?: string | undefined }>({});
  const [since, setSince] = useState(values.since ?? "");
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();

  const inAddress = JSON.stringify(values);
  // The URL may change under the form (by "Clear" or the back button). Text that is being typed
  // stays.
  useEffect(() => {
    const now = JSON.parse(inAddress) as Values;
    setSince(now.since ?? "");
    for (const [name, value] of Object.entries(now)) {
      const field = form.current?.elements.namedItem(name);
      // Hidden fields need no update.
      const isInput = field instanceof HTMLInputElement && field.type !== "hidden";
      const isField = isInput || field instanceof HTMLSelectElement;
      if (isField && field !== document.activeElement) field.value = value;
    }
  }, [inAddress]);

  useEffect(() => () => clearTimeout(typing.current.timer), []);

  /**
   * `field` is the one in which the user is typing. Continuous typing is one step in the browser's
   * history.
   */
  function apply(field?: string) {
    clearTimeout(typing.current.timer);
    if (form.current === null) return;
    const given = [...new FormData(form.current)].map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    const next = toAddress(path, given);
    if (next === `${window.location.pathname}${window.location.search}`) return;
    const isSameStep = field !== undefined && field === typing.current.field;
    typing.current.field = field;
    startTransition(() => router[isSameStep ? "replace" : "push"](next, { scroll: false }));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    apply();
  }

  function onChange(event: ChangeEvent<HTMLFormElement>) {
    const field: unknown = event.target;
    clearTimeout(typing.current.timer);
    if (field instanceof HTMLSelectElement) {
      if (field.name === "since") setSince(field.value);
      // A custom range needs two times before it applies.
      if (field.value !== "between") apply();
    } else if (field instanceof HTMLInputElement && isWhole(field)) {
      const name = field.name === "" ? field.id : field.name;
      typing.current.timer = setTimeout(() => apply(name), typingPauseMs);
    }
  }

  function onBlur({ target }: FocusEvent) {
    const isTyped = target instanceof HTMLInputElement && target.name !== "";
    if (isTyped && target.value !== (values[target.name] ?? "")) apply();
  }

  function clear() {
    clearTimeout(typing.current.timer);
    // The form is cleared first, so that the next choice doesn't restore cleared filters.
    for (const field of form.current?.elements ?? []) {
      const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      if (isField && !Object.hasOwn(kept, field.name)) field.value = "";
    }
    setSince("");
    const next = toAddress(path, Object.entries(kept));
    startTransition(() => router.push(next, { scroll: false }));
  }

  const hasPanel = children !== undefined || timeLabel !== undefined;
  const setMore = (more?.names ?? []).filter((name) => (values[name] ?? "") !== "");
  const set = Object.entries(values).filter(
    ([name, value]) => value !== "" && !["q", "from", "to"].includes(name),
  );
  return (
    // Its list uses the width of the window.
    <div data-full className="grid gap-3">
      {problems.cursor !== undefined && (
        <Notice tone="negative">Page not found in this list.</Notice>
      )}
      <div className="filter-row">
        <form
          ref={form}
          method="get"
          action={path}
          onSubmit={onSubmit}
          onChange={onChange}
          onBlur={onBlur}
          aria-label={label}
          aria-busy={isPending}
          className="contents"
        >
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className={classNames("filter-search", !hasPanel && "col-span-2")}>
            <TextField
              label="Search"
              name="q"
              type="search"
              placeholder={searches}
              defaultValue={values.q}
              error={problems.q}
            />
          </div>
          {hasPanel && (
            <Button
              look="secondary"
              className="md:hidden"
              aria-expanded={isOpen}
              aria-controls={panelId}
              onClick={() => setOpen(!isOpen)}
            >
              <SlidersHorizontal aria-hidden size={15} />
              Filters{set.length > 0 && ` (${set.length})`}
            </Button>
          )}
          <div
            id={panelId}
            className={classNames("filter-fields", isOpen ? "max-md:grid" : "max-md:hidden")}
          >
            {children}
            {timeLabel !== undefined && (
              <SelectField label={timeLabel} name="since" defaultValue={values.since}>
                <option value="">Any time</option>
                <option value="1h">Last hour</option>
                <option value="24h">Last 24 hours</option>
                <option value="7d">Last 7 days</option>
                <option value="30d">Last 30 days</option>
                <option value="between">Custom range</option>
              </SelectField>
            )}
            {more !== undefined && <MoreFilters count={setMore.length}>{more.fields}</MoreFilters>}
            {since === "between" && (
              <div className="filter-range">
                <TimeField
                  label="From"
                  name="from"
                  value={values.from ?? ""}
                  error={problems.from}
                />
                <TimeField label="To" name="to" value={values.to ?? ""} error={problems.to} />
              </div>
            )}
          </div>
          <noscript>
            <button type="submit">Filter</button>
          </noscript>
        </form>
        {isFiltered && (
          <Button look="quiet" isBusy={isPending} onClick={clear} className="max-md:col-span-full">
            <X aria-hidden size={15} />
            <span className="md:sr-only">Clear filters</span>
          </Button>
        )}
        {aside && <div className="filter-aside">{aside}</div>}
      </div>
    </div>
  );
}

function toAddress(path: string, params: readonly (readonly [string, string])[]): string {
  const given = params.filter(([, value]) => value !== "").map(([name, value]) => [name, value]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/**
 * True if the value is complete. A field with suggestions is matched as a whole, so half of a
 * suggestion matches nothing.
 */
function isWhole({ list, value }: HTMLInputElement): boolean {
  return (
    list === null || value === "" || [...list.options].some((option) => option.value === value)
  );
}
