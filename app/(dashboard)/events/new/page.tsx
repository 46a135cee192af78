import type { Metadata } from "next";
import { PageHeader } from "#components/shell/page-header.tsx";
import { requireSession } from "#lib/web/auth/session.ts";
import { SendFirstEvent } from "../send-first-event.tsx";

export const metadata: Metadata = { title: "Send an event" };

export default async function NewEventPage() {
  const { accountId } = await requireSession();
  return (
    <>
      <PageHeader
        title="Send an event"
        lead="Publish it by the API. This page shows what the receivers answer."
      />
      <SendFirstEvent accountId={accountId} />
    </>
  );
}
