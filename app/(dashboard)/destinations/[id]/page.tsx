import type { Metadata } from "next";
import { DeleteSaved } from "#components/credentials/delete-saved.tsx";
import { DestinationForm } from "#components/credentials/destination-form.tsx";
import { SavedHeader } from "#components/credentials/saved-header.tsx";
import { UsedBy } from "#components/credentials/used-by.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { DestinationFacts } from "#components/read-only/small-facts.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  deleteDestinationCommand,
  saveDestinationCommand,
} from "#lib/web/destinations/commands.ts";

import { readDestinationPage } from "#lib/web/destinations/read-receivers.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { ManagedHere } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";

type DestinationPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: DestinationPageProps): Promise<Metadata> {
  return await titleByName(
    params,
    async (...of) => (await readDestinationPage(...of)).destination,
    {
      otherwise: "Destination",
    },
  );
}

export default async function DestinationPage({ params }: DestinationPageProps) {
  const { id } = await params;
  const page = await orNotFound(readDestinationPage(await pageContext(), id));
  const { destination, credentials, uses } = page;
  const { name, origin } = destination;
  return (
    <>
      <SavedHeader
        name={name}
        details={[origin]}
        of="destination"
        managed={<ManagedHere kind="destination" id={id} />}
      >
        <Allowed to="hooks:write">
          <DeleteSaved
            what="destination"
            name={name}
            remove={deleteDestinationCommand.bind(null, id)}
          />
        </Allowed>
      </SavedHeader>
      <div className="grid max-w-3xl grid-cols-1 gap-4">
        <Restricted
          to="hooks:write"
          instead={<DestinationFacts destination={destination} credentials={credentials} />}
        >
          <Card className="p-5">
            <h2 className="mb-4 font-semibold">Settings</h2>
            <DestinationForm
              destination={destination}
              credentials={credentials}
              save={saveDestinationCommand.bind(null, id)}
            />
          </Card>
        </Restricted>
      </div>
      <div className="max-w-3xl">
        <UsedBy
          uses={uses}
          empty="No action uses it yet. Choose it in the request of an action with a URL at this origin."
        />
      </div>
    </>
  );
}
