"use client";

import { PortalPreview } from "#components/portal/portal-preview.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import {
  asIs,
  type Codec,
  optionalText,
  plainText,
  toDraft,
  type Values,
} from "#components/ui/form/codec.ts";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import type { FieldOf } from "#components/ui/form/field-of.ts";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import { FileButton } from "#components/ui/form/file-button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { SignatureFields } from "./signature-fields.tsx";

/** One a line. */
const lines: Codec<readonly string[], string> = {
  text: (values) => values.join("\n"),
  read: (text) => text.split(/[\s,]+/).filter((line) => line !== ""),
};

const sendingFields = {
  portalName: optionalText,
  portalColor: optionalText,
  portalLogo: asIs<string | null>(),
  portalOrigins: lines,
  signatureHeader: plainText,
  catchmentSignature: asIs<boolean>(),
  standardWebhooksHeaders: asIs<boolean>(),
  challengeNewUrls: asIs<boolean>(),
  isCatalogPublic: asIs<boolean>(),
};

type SendingSettings = Values<typeof sendingFields>;

type SendingFormProps = {
  readonly settings: SendingSettings;
  readonly accountName: string;
  readonly catalogUrl: string;
  readonly save: (settings: object) => Promise<CommandResult<null>>;
};

/** The portal, the headers that sign, the challenge for receivers, and the catalog. */
export function SendingForm({ settings, accountName, catalogUrl, save }: SendingFormProps) {
  const form = useForm(sendingFields, toDraft(sendingFields, settings), async (input) => {
    const result = await save(input);
    if (result.ok) toast("Saved.");
    return result;
  });
  const { draft, change, fields, of, rejection, isPending, onSubmit } = form;
  const originsError = Object.keys(fields).find((path) => path.startsWith("portalOrigins"));
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-8">
      <SettingsSection title="Portal" lead="The pages where your customers manage subscriptions.">
        <div className="grid grid-cols-1 gap-4">
          <Field
            of={of("portalName")}
            label="Portal name"
            autoComplete="organization"
            placeholder={accountName}
          />
          <ColorField of={of("portalColor")} />
          <LogoField {...of("portalLogo")} />
          <PortalPreview
            name={draft.portalName.trim() || accountName}
            logo={draft.portalLogo}
            color={draft.portalColor.trim() || null}
          />
          <OriginsField {...of("portalOrigins")} error={originsError && fields[originsError]} />
        </div>
      </SettingsSection>
      <SettingsSection
        title="Signature"
        lead="The headers with which receivers verify that an event is yours."
      >
        <SignatureFields value={draft} onChange={change} error={fields.signatureHeader} />
      </SettingsSection>
      <SettingsSection
        title="Receiver URLs"
        lead="Have new URLs prove that they want events before they get any."
      >
        <FieldCheck
          of={of("challengeNewUrls")}
          label="Challenge new URLs"
          text={
            "A new receiver URL gets no events until it answers a challenge. " +
            "URLs that are added in the portal always have to."
          }
        />
      </SettingsSection>
      <SettingsSection title="Catalog" lead="Your event types, with schemas and examples.">
        <FieldCheck
          of={of("isCatalogPublic")}
          label="Public catalog"
          text={
            <>
              Anyone can read your event types at{" "}
              <code className="font-mono text-xs wrap-anywhere">{catalogUrl}</code>.
            </>
          }
        />
      </SettingsSection>
      <div>
        <Button type="submit" isBusy={isPending}>
          Save settings
        </Button>
      </div>
    </Form>
  );
}

function ColorField({ of }: { readonly of: FieldOf<string> }) {
  const { value, onChange } = of;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field of={of} label="Color" spellCheck={false} placeholder="#0f62fe" />
      </div>
      <input
        type="color"
        aria-label="Choose a color"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : "#0f62fe"}
        onChange={(event) => onChange(event.target.value)}
        className="mt-6.5 h-9 w-12 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1"
      />
    </div>
  );
}

function LogoField({ value, onChange, error }: FieldOf<string | null>) {
  function read(file: File) {
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }

  return (
    <FieldFrame
      id="portalLogo"
      label="Logo"
      hint="PNG, JPEG, WebP, GIF, or SVG, up to 70 KiB."
      error={error}
    >
      <div className="flex flex-wrap items-center gap-3">
        {value !== null && (
          // biome-ignore lint/performance/noImgElement: it is a data: URL
          <img
            src={value}
            alt=""
            className="h-9 max-w-40 rounded-md border bg-card object-contain p-1"
          />
        )}
        <FileButton
          id="portalLogo"
          accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
          aria-invalid={error !== undefined}
          aria-describedby={describedBy("portalLogo", true, error)}
          onFile={read}
        />
        {value !== null && (
          <Button look="quiet" onClick={() => onChange(null)}>
            Remove logo
          </Button>
        )}
      </div>
    </FieldFrame>
  );
}

function OriginsField({ value, onChange, error }: FieldOf<string>) {
  const hint = "Sites that can embed the portal in an iframe. One origin per line.";
  return (
    <FieldFrame id="portalOrigins" label="Allowed origins" hint={hint} error={error}>
      <textarea
        id="portalOrigins"
        rows={3}
        spellCheck={false}
        placeholder="https://app.example.com"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy("portalOrigins", hint, error)}
        className={`${control} h-auto! py-2 font-mono text-xs`}
      />
    </FieldFrame>
  );
}
