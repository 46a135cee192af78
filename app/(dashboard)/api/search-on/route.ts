import type { NextRequest } from "next/server";
import { type DeliveryRow, toDeliveryRow } from "#components/deliveries/delivery-row.ts";
import { type EventRow, toEventRow } from "#components/events/event-row.ts";
import { type RunRow, toRunRow } from "#components/runs/run-row.ts";
import { isId } from "#lib/base/ids.ts";
import type { SearchStep } from "#lib/schema/account/search.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { freshJson, respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { readDeliveryList } from "#lib/web/deliveries/read-delivery-list.ts";
import { readEventList } from "#lib/web/events/read-event-list.ts";
import type { Resume } from "#lib/web/request/search-list.ts";
import { readRunList } from "#lib/web/runs/read-run-list.ts";

/**
 * Searches about a second longer for a page that isn't full:
 * `?list=deliveries|runs|events&resume=<cursor>&count=<shown>&…filters`. `ofHook` is the hook whose
 * page it is.
 */
export async function GET(request: NextRequest): Promise<Response> {
  const {
    list,
    resume: cursor = "",
    count,
    ofHook = "",
    ...params
  } = Object.fromEntries(request.nextUrl.searchParams);
  const shown = Math.min(maxShown, Math.max(0, Math.trunc(Number(count)) || 0));
  const resume = { cursor, count: shown, signal: request.signal };
  return await respondToPage(async (context) => {
    const step = await searchOn(list, { context, params, resume }, isId(ofHook) ? ofHook : null);
    return step === null ? freshJson({}, 400) : freshJson(step);
  });
}

/** A full page isn't searched for. */
const maxShown = 49;

type Asked = {
  readonly context: ServiceContext;
  readonly params: Readonly<Record<string, string>>;
  readonly resume: Resume;
};

async function searchOn(
  list: string | undefined,
  search: Asked,
  hookId: string | null,
): Promise<SearchStep<DeliveryRow | RunRow | EventRow> | null> {
  if (list === "runs") return await searchRuns(search);
  return list === "events" ? await searchEvents(search) : await searchDeliveries(search, hookId);
}

async function searchDeliveries(
  { context, params, resume }: Asked,
  hookId: string | null,
): Promise<SearchStep<DeliveryRow> | null> {
  const path = hookId === null ? "/deliveries" : `/hooks/${hookId}`;
  const list = await readDeliveryList(context, { hookId, path, resume }, params);
  if (Object.keys(list.problems).length > 0) return null;
  return {
    rows: list.deliveries.map((delivery) => toDeliveryRow(delivery, hookId !== null)),
    search: list.search,
    older: list.links.older,
  };
}

async function searchRuns({ context, params, resume }: Asked): Promise<SearchStep<RunRow> | null> {
  const list = await readRunList(context, params, resume);
  if (Object.keys(list.problems).length > 0) return null;
  return {
    rows: list.runs.map((run) => toRunRow(run, list.nowMs)),
    search: list.search,
    older: list.links.older,
  };
}

async function searchEvents({
  context,
  params,
  resume,
}: Asked): Promise<SearchStep<EventRow> | null> {
  const list = await readEventList(context, params, resume);
  if (Object.keys(list.problems).length > 0) return null;
  return {
    rows: list.events.map(toEventRow),
    search: list.search,
    older: list.links.older,
  };
}
