import type { Metadata } from "next";
import { EventHeader } from "#components/events/event-header.tsx";
import { EventSends } from "#components/events/event-sends.tsx";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { MaskedNotice } from "#components/payload/masked-notice.tsx";
import { PayloadPanel } from "#components/payload/payload-panel.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { resendEventCommand, resendToCommand } from "#lib/web/events/commands.ts";
import { readEventPage } from "#lib/web/events/read-event-page.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { cancelRunCommand, retryRunCommand } from "#lib/web/runs/commands.ts";
import { titleByName } from "../../title-by-name.ts";

type EventPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: EventPageProps): Promise<Metadata> {
  const readNamed = async (context: ServiceContext, id: string) => {
    const { event } = await readEventPage(context, decodeURIComponent(id));
    return { name: event.type };
  };
  return await titleByName(params, readNamed, { part: "Event", otherwise: "Event" });
}

export default async function EventPage({ params }: EventPageProps) {
  const { maskedFields } = await requireSession();
  const id = decodeURIComponent((await params).id);
  const page = await orNotFound(readEventPage(await pageContext(), id));
  const { event, nowMs } = page;
  return (
    <>
      <RefreshWhile isOn={page.isMoving} />
      <EventHeader
        event={event}
        failed={page.counts.find(({ status }) => status === "failed")?.count ?? 0}
        nowMs={nowMs}
        resend={resendEventCommand.bind(null, event.id)}
      />
      <MaskedNotice fields={maskedFields} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card className="min-w-0 p-5">
          <h2 className="mb-4 font-semibold">Sends</h2>
          <EventSends
            type={event.type}
            recipient={event.recipient}
            counts={page.counts}
            sends={page.sends}
            moreSends={page.moreSends}
            nowMs={nowMs}
            resend={resendToCommand.bind(null, event.id)}
            retry={retryRunCommand}
            cancel={cancelRunCommand}
          />
        </Card>
        <Card className="min-w-0">
          <h2 className="px-5 pt-5 pb-2 font-semibold">Data</h2>
          <PayloadPanel
            body={page.body}
            headers={null}
            areHeadersCut={false}
            query={[]}
            parts={[]}
          />
        </Card>
      </div>
    </>
  );
}
