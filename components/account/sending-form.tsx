"use client";

import { useState } from "react";
import { PortalPreview } from "#components/portal/portal-preview.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { control, describedBy, FieldFrame, TextField } from "#components/ui/form/field.tsx";
import { FileButton } from "#components/ui/form/file-button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SignatureHeaders } from "#lib/schema/sender/signature-headers.ts";
import { SignatureFields } from "./signature-fields.tsx";

export type SendingSettings = SignatureHeaders & {
  readonly portalName: string | null;
  readonly portalColor: string | null;
  readonly portalLogo: string | null;
  readonly portalOrigins: readonly string[];
  readonly challengeNewUrls: boolean;
  readonly isCatalogPublic: boolean;
};

type SendingFormProps = {
  readonly settings: SendingSettings;
  readonly accountName: string;
  readonly catalogUrl: string;
  readonly save: (settings: SendingSettings) => Promise<CommandResult<null>>;
};

/** The portal, the headers that sign, the challenge for receivers, and the catalog. */
export function SendingForm({ settings, accountName, catalogUrl, save }: SendingFormProps) {
  const [draft, setDraft] = useState(settings);
  const [origins, setOrigins] = useState(settings.portalOrigins.join("\n"));
  const change = (next: Partial<SendingSettings>) => setDraft((before) => ({ ...before, ...next }));
  const { fields, rejection, isPending, onSubmit } = useCommand(async () => {
    const portalOrigins = origins.split(/[\s,]+/).filter((origin) => origin !== "");
    const result = await save({ ...draft, portalOrigins });
    if (result.ok) toast("Saved.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-8">
      <SettingsSection title="Portal" lead="The pages where your customers manage subscriptions.">
        <div className="grid grid-cols-1 gap-4">
          <TextField
            label="Portal name"
            name="portalName"
            autoComplete="organization"
            placeholder={accountName}
            value={draft.portalName ?? ""}
            onChange={(event) => change({ portalName: textOrNull(event.target.value) })}
            error={fields.portalName}
          />
          <ColorField
            value={draft.portalColor}
            onChange={(portalColor) => change({ portalColor })}
            error={fields.portalColor}
          />
          <LogoField
            value={draft.portalLogo}
            onChange={(portalLogo) => change({ portalLogo })}
            error={fields.portalLogo}
          />
          <PortalPreview
            name={draft.portalName?.trim() || accountName}
            logo={draft.portalLogo}
            color={draft.portalColor}
          />
          <OriginsField
            value={origins}
            onChange={setOrigins}
            error={Object.entries(fields).find(([path]) => path.startsWith("portalOrigins"))?.[1]}
          />
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
        <CheckField
          label="Challenge new URLs"
          text={
            "A new receiver URL gets no events until it answers a challenge. " +
            "URLs that are added in the portal always have to."
          }
          checked={draft.challengeNewUrls}
          onChange={(challengeNewUrls) => change({ challengeNewUrls })}
        />
      </SettingsSection>
      <SettingsSection title="Catalog" lead="Your event types, with schemas and examples.">
        <CheckField
          label="Public catalog"
          text={
            <>
              Anyone can read your event types at{" "}
              <code className="font-mono text-xs wrap-anywhere">{catalogUrl}</code>.
            </>
          }
          checked={draft.isCatalogPublic}
          onChange={(isCatalogPublic) => change({ isCatalogPublic })}
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

type ValueProps<Value> = {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error: string | undefined;
};

function ColorField({ value, onChange, error }: ValueProps<string | null>) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Color"
          name="portalColor"
          autoComplete="off"
          spellCheck={false}
          placeholder="#0f62fe"
          value={value ?? ""}
          onChange={(event) => onChange(textOrNull(event.target.value))}
          error={error}
        />
      </div>
      <input
        type="color"
        aria-label="Choose a color"
        value={/^#[0-9a-f]{6}$/i.test(value ?? "") ? (value ?? "") : "#0f62fe"}
        onChange={(event) => onChange(event.target.value)}
        className="mt-6.5 h-9 w-12 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1"
      />
    </div>
  );
}

function LogoField({ value, onChange, error }: ValueProps<string | null>) {
  function read(file: File) {
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }

  return (
    <FieldFrame
      id="portalLogo"
      label="Logo"
      hint="PNG, JPEG, WebP, GIF, or SVG, up to 70 KB."
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

function OriginsField({ value, onChange, error }: ValueProps<string>) {
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

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}
