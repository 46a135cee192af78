import type { ComponentProps } from "react";
import type { SendingForm } from "#components/account/sending-form.tsx";
import { describeLimits } from "#components/credentials/describe-limits.ts";
import type { DestinationForm } from "#components/credentials/destination-form.tsx";
import type { EventTypeDraft } from "#components/event-types/event-type-draft.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { blockOf, exactly, Facts, linesOf, onOff } from "./facts.tsx";

type DestinationFactsProps = {
  readonly destination: Parameters<typeof describeLimits>[0] & {
    readonly origin: string;
    readonly credentialId: string | null;
  };
  readonly credentials: ComponentProps<typeof DestinationForm>["credentials"];
};

export function DestinationFacts({ destination, credentials }: DestinationFactsProps) {
  const { origin, credentialId } = destination;
  const credential = credentials.find(({ id }) => id === credentialId);
  return (
    <Facts
      title="Settings"
      facts={[
        ["Origin", exactly(origin)],
        ["Credential", credential === undefined ? "None" : safeText(credential.name)],
        ["Limits", describeLimits(destination)],
      ]}
    />
  );
}

export function EventTypeFacts({ stored }: { readonly stored: EventTypeDraft }) {
  const { description, example, schema, deprecated, onMismatch } = stored;
  const checks = onMismatch === "reject" ? "are rejected" : "are sent with a warning";
  return (
    <Facts
      title="Event type"
      facts={[
        ["Description", description === "" ? null : safeText(description)],
        ["Example", blockOf("Example", example)],
        ["Schema", blockOf("Schema", schema) ?? "None"],
        ["Events that don't match it", schema === "" ? null : checks],
        ["Deprecated", deprecated ? "Yes" : "No"],
      ]}
    />
  );
}

type SendingFactsProps = Pick<
  ComponentProps<typeof SendingForm>,
  "settings" | "accountName" | "catalogUrl"
>;

export function SendingFacts({ settings, accountName, catalogUrl }: SendingFactsProps) {
  return (
    <>
      <Facts
        title="Portal"
        facts={[
          ["Name", safeText(settings.portalName ?? accountName)],
          ["Color", settings.portalColor],
          ["Sites that may embed it", linesOf(settings.portalOrigins)],
        ]}
      />
      <Facts
        title="Signature"
        facts={[
          ["Header", exactly(settings.signatureHeader)],
          ["Catchment signature", onOff(settings.catchmentSignature)],
          ["Standard Webhooks headers", onOff(settings.standardWebhooksHeaders)],
          ["Challenge new URLs", onOff(settings.challengeNewUrls)],
        ]}
      />
      <Facts
        title="Catalog"
        facts={[["Public", settings.isCatalogPublic ? exactly(catalogUrl) : "No"]]}
      />
    </>
  );
}

export function MaskedFieldsFacts({ fields }: { readonly fields: readonly string[] }) {
  return (
    <Facts title="Data" facts={[["Fields that viewers see as ••••", linesOf(fields) ?? "None"]]} />
  );
}
