import type { Metadata } from "next";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { SendEventHere } from "../send-event-here.tsx";

export const metadata: Metadata = { title: "Send an event" };

export default async function NewEventPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  return (
    <>
      <PageHeader title="Send an event" lead="It reaches every subscription that matches it." />
      <Restricted to="events:write">
        <SendEventHere params={await searchParams} />
      </Restricted>
    </>
  );
}
