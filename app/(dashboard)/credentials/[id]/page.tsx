import type { Metadata } from "next";
import { RenameCredential, ReplaceCredential } from "#components/credentials/credential-form.tsx";
import { DeleteSaved } from "#components/credentials/delete-saved.tsx";
import { kindWords } from "#components/credentials/describe-kind.ts";
import { describeSettings } from "#components/credentials/describe-settings.ts";
import { SavedHeader } from "#components/credentials/saved-header.tsx";
import { UsedBy } from "#components/credentials/used-by.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { deleteCredentialCommand, saveCredentialCommand } from "#lib/web/credentials/commands.ts";

import { readCredentialPage } from "#lib/web/destinations/read-receivers.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { ManagedHere } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";

type CredentialPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: CredentialPageProps): Promise<Metadata> {
  return await titleByName(params, async (...of) => (await readCredentialPage(...of)).credential, {
    otherwise: "Credential",
  });
}

export default async function CredentialPage({ params }: CredentialPageProps) {
  const { id } = await params;
  const page = await orNotFound(readCredentialPage(await pageContext(), id));
  const { credential, uses } = page;
  const { name, origin, settings } = credential;
  const save = saveCredentialCommand.bind(null, id);
  return (
    <>
      <SavedHeader
        name={name}
        details={[origin, kindWords[settings.type], ...describeSettings(settings)]}
        of="credential"
        managed={<ManagedHere kind="credential" id={id} />}
      >
        <Allowed to="credentials:write">
          <DeleteSaved
            what="credential"
            name={name}
            remove={deleteCredentialCommand.bind(null, id)}
          />
        </Allowed>
      </SavedHeader>
      <Restricted to="credentials:write" instead={null}>
        <SettingsSection title="Name" lead="Shown where actions and destinations choose it.">
          <RenameCredential name={name} save={save} />
        </SettingsSection>
        <SettingsSection
          title="Replace"
          lead="Every use switches to the new one with its next call. The old one isn't kept."
        >
          <ReplaceCredential key={credential.version} settings={settings} save={save} />
        </SettingsSection>
      </Restricted>
      <UsedBy
        uses={uses}
        empty={
          "Nothing uses it yet. Choose it in a destination, or in the request of an action at this origin. " +
          "A client certificate can be a subscription's, too."
        }
      />
    </>
  );
}
