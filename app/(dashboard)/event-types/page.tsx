import type { Metadata } from "next";
import { EventTypeTable } from "#components/event-types/event-type-table.tsx";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readEventTypeList } from "#lib/web/event-types/read-event-types.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { ManagedRows } from "../managed-here.tsx";
import { SendingStepsHere } from "../sending-steps.tsx";

export const metadata: Metadata = { title: "Event types" };

export default async function EventTypesPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readEventTypeList(await pageContext(), await searchParams);
  const { types, unlisted, values, problems, isFiltered, links, nowMs } = list;
  const { isEmpty } = readListState(list, types.length);
  const buttons = (
    <Allowed to="subscriptions:write">
      <div className="flex flex-wrap justify-center gap-2">
        <Link href="/event-types/import" className={buttonClasses("secondary")}>
          Import from OpenAPI
        </Link>
        <Link href="/event-types/new" className={buttonClasses()}>
          New event type
        </Link>
      </div>
    </Allowed>
  );
  return (
    <>
      <PageHeader title="Event types" lead="What you publish, for your customers to choose from.">
        {!isEmpty && (
          <div className="flex flex-wrap items-center gap-2">
            <ExportMenu list="event-types" values={values} />
            {buttons}
          </div>
        )}
      </PageHeader>
      {isEmpty ? (
        <>
          <EmptyState title="No event types yet">
            <p>
              Describe what you publish: what it means, what its data looks like, and an example.
              Event types work without it too.
            </p>
            {buttons}
          </EmptyState>
          <SendingStepsHere />
        </>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <ListKeys />
          <FilterForm
            values={values}
            problems={problems}
            path="/event-types"
            isFiltered={isFiltered}
            label="Event types"
            searches="Name or description"
          />
          {types.length > 0 ? (
            <ManagedRows kind="event type" rows={types.map(({ name }) => ({ id: name }))}>
              <EventTypeTable rows={types} nowMs={nowMs} />
            </ManagedRows>
          ) : (
            <NoMatches what="event types" />
          )}
          <PageLinks links={links} />
        </div>
      )}
      {unlisted.length > 0 && (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="unlisted">
          <h2 id="unlisted" className="text-lg font-semibold tracking-tight">
            Published without a description
          </h2>
          <ul className="flex flex-wrap gap-2">
            {unlisted.map((type) => (
              <li key={type}>
                <Link
                  href={`/event-types/new?name=${encodeURIComponent(type)}`}
                  className={
                    "inline-block rounded-md border bg-card px-2.5 py-1 " +
                    "font-mono text-xs wrap-anywhere hover:bg-muted"
                  }
                >
                  {safeText(type)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
