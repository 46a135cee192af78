"use client";

import type { ComponentProps } from "react";
import { CatchUrlForm, type EndPreviousCatchUrls, type RotateCatchUrl } from "./catch-url-form.tsx";
import { DedupeSection } from "./dedupe-section.tsx";
import { EventTypeSection } from "./event-type-section.tsx";
import { FieldSearchSection } from "./field-search-section.tsx";
import type { CheckIdentity } from "./identity-fields.tsx";
import { NameSection } from "./name-section.tsx";
import { ProviderSection } from "./provider-section.tsx";
import { PublishSection } from "./publish-section.tsx";
import { RequestsSection } from "./requests-section.tsx";
import { ResponseSection } from "./response-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { type RotateSecret, RotateSecretForm } from "./rotate-secret-form.tsx";
import type { SaveHook } from "./save-hook.ts";
import type { ExpireSecret, HookSecretView } from "./secret-list.tsx";
import { Section } from "./section.tsx";
import { SectionNav } from "./section-nav.tsx";
import { SilenceSection } from "./silence-section.tsx";

type HookSettingsProps = {
  readonly hook: ComponentProps<typeof NameSection>["hook"] &
    ComponentProps<typeof CatchUrlForm>["hook"] &
    ComponentProps<typeof ProviderSection>["hook"] &
    ComponentProps<typeof DedupeSection>["hook"] &
    ComponentProps<typeof EventTypeSection>["hook"] &
    ComponentProps<typeof RequestsSection>["hook"] &
    ComponentProps<typeof PublishSection>["hook"] &
    ComponentProps<typeof SilenceSection>["hook"] &
    ComponentProps<typeof FieldSearchSection>["hook"] &
    ComponentProps<typeof RetentionSection>["hook"] &
    ComponentProps<typeof ResponseSection>["hook"] & {
      readonly previousUrls: ComponentProps<typeof CatchUrlForm>["previous"];
      readonly takesSecret: boolean;
      readonly secretHelp: string | null;
      readonly secretShape: ComponentProps<typeof RotateSecretForm>["shape"];
    };
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rotateSecret: RotateSecret;
  readonly expireSecret: ExpireSecret;
  readonly save: SaveHook;
  readonly rotateCatchUrl: RotateCatchUrl;
  readonly endPreviousCatchUrls: EndPreviousCatchUrls;
  readonly checkIdentity: CheckIdentity;
};

const titles = [
  "Name",
  "Catch URL",
  "Provider",
  "Signing secret",
  "De-duplication",
  "Event type",
  "Accepted requests",
  "Publish",
  "Response",
  "Silence",
  "Field search",
  "Retention",
];

/** The settings of a hook: one idea per section, each saved by itself. */
export function HookSettings(props: HookSettingsProps) {
  const shown = titles.filter((title) => props.hook.takesSecret || title !== "Signing secret");
  return (
    <div className="grid grid-cols-1 gap-6 lg:flex lg:gap-10">
      <SectionNav label="Settings" titles={shown} />
      <Sections {...props} />
    </div>
  );
}

function Sections(props: HookSettingsProps) {
  const { hook, save } = props;
  return (
    <div className="grid w-full max-w-3xl min-w-0 grid-cols-1 gap-6">
      <NameSection hook={hook} save={save} />
      <Section
        title="Catch URL"
        lead="Where the provider sends deliveries. Anyone with this URL can send to this hook."
      >
        <CatchUrlForm
          key={hook.catchUrl}
          hook={hook}
          previous={hook.previousUrls}
          nowMs={props.nowMs}
          save={save}
          rotate={props.rotateCatchUrl}
          endPrevious={props.endPreviousCatchUrls}
        />
      </Section>
      <ProviderSection hook={hook} save={save} />
      {hook.takesSecret && (
        <Section title="Signing secret">
          <RotateSecretForm
            hookId={hook.id}
            help={hook.secretHelp}
            shape={hook.secretShape}
            secrets={props.secrets}
            nowMs={props.nowMs}
            rotateSecret={props.rotateSecret}
            expire={props.expireSecret}
          />
        </Section>
      )}
      <DedupeSection
        key={`dedupe ${hook.provider}`}
        hook={hook}
        save={save}
        check={props.checkIdentity}
      />
      <EventTypeSection
        key={`type ${hook.provider}`}
        hook={hook}
        save={save}
        check={props.checkIdentity}
      />
      <RequestsSection hook={hook} save={save} />
      <PublishSection hook={hook} save={save} />
      <ResponseSection hook={hook} save={save} />
      <SilenceSection hook={hook} save={save} />
      <FieldSearchSection hook={hook} nowMs={props.nowMs} save={save} />
      <RetentionSection hook={hook} save={save} />
    </div>
  );
}
