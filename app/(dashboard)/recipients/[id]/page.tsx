import type { Metadata } from "next";
import { toEventRow } from "#components/events/event-row.ts";
import { EventTable } from "#components/events/event-table.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { DeleteRecipient } from "#components/recipients/delete-recipient.tsx";
import { PortalLinks } from "#components/recipients/portal-links.tsx";
import { RecipientDialog } from "#components/recipients/recipient-form.tsx";
import { QuotaLine } from "#components/status/quota-line.tsx";
import { toSubscriptionRow } from "#components/subscriptions/subscription-row.ts";
import { SubscriptionTable } from "#components/subscriptions/subscription-table.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  createPortalLinkCommand,
  deleteRecipientCommand,
  revokePortalLinkCommand,
  saveRecipientCommand,
} from "#lib/web/recipients/commands.ts";
import { readRecipientPage } from "#lib/web/recipients/read-recipients.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { ManagedHere, ManagedRows } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";

type RecipientPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: RecipientPageProps): Promise<Metadata> {
  const readNamed = async (context: ServiceContext, id: string) => {
    const { recipient } = await readRecipientPage(context, decodeURIComponent(id));
    return { name: recipient.name ?? recipient.id };
  };
  return await titleByName(params, readNamed, { otherwise: "Recipient" });
}

export default async function RecipientPage({ params }: RecipientPageProps) {
  const wanted = decodeURIComponent((await params).id);
  const page = await orNotFound(readRecipientPage(await pageContext(), wanted));
  const { recipient, subscriptions, events, links, nowMs } = page;
  const { id, name, metadata: entries } = recipient;
  const query = encodeURIComponent(id);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            {safeText(name ?? id)}
          </h1>
          <div className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted-foreground">
            <code className="font-mono text-xs leading-5 wrap-anywhere">{safeText(id)}</code>
            {Object.entries(entries).map(([key, value]) => (
              <span key={key} className="wrap-anywhere">
                {safeText(key)}: {safeText(value)}
              </span>
            ))}
            <ManagedHere kind="recipient" id={id} />
          </div>
        </div>
        <div data-commands="recipient" className="flex flex-wrap gap-2">
          <Link href={`/account/usage?recipient=${query}`} className={buttonClasses("secondary")}>
            Usage
          </Link>
          <Allowed to="events:write">
            <Link href={`/events/new?recipient=${query}`} className={buttonClasses("secondary")}>
              Send an event
            </Link>
          </Allowed>
          <Allowed to="subscriptions:write">
            <RecipientDialog
              label="Edit"
              look="secondary"
              recipient={recipient}
              save={saveRecipientCommand}
            />
          </Allowed>
          <Allowed to="subscriptions:write">
            <DeleteRecipient name={name ?? id} remove={deleteRecipientCommand.bind(null, id)} />
          </Allowed>
        </div>
      </div>
      {recipient.quota !== null && recipient.quotaUse !== null && (
        <section className="grid grid-cols-1 gap-2" aria-labelledby="quota">
          <h2 id="quota" className="text-lg font-semibold tracking-tight">
            Quota
          </h2>
          <QuotaLine quota={recipient.quota} use={recipient.quotaUse} />
        </section>
      )}
      <PortalLinks
        links={links}
        nowMs={nowMs}
        create={createPortalLinkCommand.bind(null, id)}
        revoke={revokePortalLinkCommand.bind(null, id)}
      />
      <section className="grid grid-cols-1 gap-4" aria-labelledby="subscriptions">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="subscriptions" className="text-lg font-semibold tracking-tight">
            Subscriptions
          </h2>
          <Allowed to="subscriptions:write">
            <Link
              href={`/subscriptions/new?recipient=${query}`}
              className={buttonClasses("secondary")}
            >
              New subscription
            </Link>
          </Allowed>
        </div>
        {subscriptions.items.length > 0 ? (
          <ManagedRows kind="subscription" rows={subscriptions.items}>
            <SubscriptionTable
              rows={subscriptions.items.map(toSubscriptionRow)}
              nowMs={nowMs}
              isOneRecipient
            />
          </ManagedRows>
        ) : (
          <p className="text-sm text-muted-foreground">
            No subscriptions yet, so its events go nowhere.
          </p>
        )}
        {subscriptions.isMore && (
          <All href={`/subscriptions?recipient=${query}`}>View all subscriptions</All>
        )}
      </section>
      <section className="grid grid-cols-1 gap-4" aria-labelledby="events">
        <h2 id="events" className="text-lg font-semibold tracking-tight">
          Latest events
        </h2>
        {events.items.length > 0 ? (
          <EventTable rows={events.items.map(toEventRow)} nowMs={nowMs} isOneRecipient />
        ) : (
          <p className="text-sm text-muted-foreground">No events yet.</p>
        )}
        {events.isMore && <All href={`/events?recipient=${query}`}>View all events</All>}
      </section>
    </>
  );
}

function All({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="justify-self-end text-sm font-medium underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}
