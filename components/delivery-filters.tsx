"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState, useTransition } from "react";
import { Button } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";

export type FilterValues = Readonly<
  Record<"status" | "eventType" | "eventId" | "q" | "since" | "from" | "to", string>
>;

type DeliveryFiltersProps = {
  /** Of the page that the list stands on. */
  readonly path: string;
  readonly values: FilterValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
};

/** Filters stand in the address, so that a list can be shared. Without scripts the form does the same by itself. */
export function DeliveryFilters({ path, values, problems, isFiltered }: DeliveryFiltersProps) {
  const router = useRouter();
  const [since, setSince] = useState(values.since);
  const [isPending, startTransition] = useTransition();

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = [...form].map(([name, value]) => [name, String(value)]).filter(([, value]) => value !== "");
    startTransition(() => router.push(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`));
  }

  return (
    <form method="get" action={path} onSubmit={onSubmit} aria-label="Deliveries" className="grid gap-3">
      {problems.cursor !== undefined && (
        <Notice tone="negative">This address is not a page of the list.</Notice>
      )}
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-3 lg:grid-cols-5">
        <div className="col-span-2 md:col-span-1">
          <TextField
            label="Text"
            name="q"
            type="search"
            placeholder="In id, type, path, body"
            defaultValue={values.q}
            error={problems.q}
          />
        </div>
        <SelectField label="Status" name="status" defaultValue={values.status} error={problems.status}>
          <option value="">Any</option>
          <option value="accepted">Accepted</option>
          <option value="duplicate">Duplicate</option>
          <option value="rejected">Rejected</option>
          <option value="pending">Pending</option>
          <option value="handshake">Handshake</option>
          <option value="batch">Batch</option>
        </SelectField>
        <SelectField
          label="Received"
          name="since"
          value={since}
          onChange={(event) => setSince(event.target.value)}
        >
          <option value="">Any time</option>
          <option value="1h">Last hour</option>
          <option value="24h">Last 24 hours</option>
          <option value="7d">Last 7 days</option>
          <option value="30d">Last 30 days</option>
          <option value="between">Between two times</option>
        </SelectField>
        <TextField
          label="Event type"
          name="eventType"
          defaultValue={values.eventType}
          error={problems.eventType}
        />
        <TextField label="Event id" name="eventId" defaultValue={values.eventId} error={problems.eventId} />
        {since === "between" && (
          <>
            <div className="col-span-2 min-w-0 md:col-span-1">
              <TextField
                label="From (UTC)"
                name="from"
                type="datetime-local"
                defaultValue={values.from}
                error={problems.from}
              />
            </div>
            <div className="col-span-2 min-w-0 md:col-span-1">
              <TextField
                label="To (UTC)"
                name="to"
                type="datetime-local"
                defaultValue={values.to}
                error={problems.to}
              />
            </div>
          </>
        )}
      </div>
      <div className="flex gap-2">
        <Button type="submit" worksAlone look="secondary" isBusy={isPending}>
          Filter
        </Button>
        {isFiltered && (
          <Button look="quiet" onClick={() => startTransition(() => router.push(path))}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
