import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { MaskedSearchNotice } from "#components/payload/masked-notice.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import { EventFilters, type EventListFilters } from "./event-filters.tsx";
import { type EventView, isMovingEvent, toEventRow } from "./event-row.ts";
import { EventTable } from "./event-table.tsx";
import { SearchedEvents } from "./searched-events.tsx";

type EventListProps = {
  readonly list: EventListFilters & {
    readonly nowMs: number;
    readonly events: readonly EventView[];
    readonly links: Links;
    readonly search: Search | null;
  };
};

/** Published events, newest first, live, with filters and pagination. */
export function EventList({ list }: EventListProps) {
  const { events, isFiltered, links, values, problems, nowMs, search } = list;
  const { isLive } = readListState(list, events.length);
  const shown = { rows: events.map(toEventRow), nowMs };
  const table = events.length > 0 ? <EventTable {...shown} /> : <NoMatches what="events" />;
  const searched = search !== null && (
    <SearchedEvents key={search.page} search={search} older={links.older} {...shown} />
  );
  return (
    <div className="grid grid-cols-1 gap-4">
      <ListKeys />
      <EventFilters values={values} problems={problems} isFiltered={isFiltered} />
      <MaskedSearchNotice q={values.q} />
      {isLive ? (
        <LiveList
          followed={{ list: "events", ...values }}
          afterId={events[0]?.id ?? ""}
          isMoving={events.some((event) => isMovingEvent(event, nowMs))}
        >
          {searched || table}
        </LiveList>
      ) : (
        searched || table
      )}
      <PageLinks links={search === null ? links : { ...links, older: null }} />
    </div>
  );
}
