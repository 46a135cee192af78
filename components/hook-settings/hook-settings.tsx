"use client";

import type { ComponentProps, ReactNode } from "react";
import { UrlTabs } from "#components/ui/layout/url-tabs.tsx";
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

/**
 * The settings of a hook: one idea per section, each saved by itself. What was typed in a tab stays,
 * and is still asked about when the page is left from another one.
 */
export function HookSettings(props: HookSettingsProps) {
  const tabs = [
    { id: "verification", title: "Verification", panel: <Verification {...props} /> },
    { id: "behavior", title: "Behavior", panel: <Behavior {...props} /> },
    { id: "data", title: "Data", panel: <Data {...props} /> },
  ];
  return <UrlTabs label="Settings" tabs={tabs} isKeptAlive />;
}

/** Its name, and the requests that it accepts. */
function Verification(props: HookSettingsProps) {
  const { hook, save } = props;
  return (
    <Sections>
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
      <RequestsSection hook={hook} save={save} />
    </Sections>
  );
}

/** Its handling of accepted deliveries. */
function Behavior({ hook, save, checkIdentity }: HookSettingsProps) {
  return (
    <Sections>
      <DedupeSection
        key={`dedupe ${hook.provider}`}
        hook={hook}
        save={save}
        check={checkIdentity}
      />
      <ResponseSection hook={hook} save={save} />
      <PublishSection hook={hook} save={save} />
      <SilenceSection hook={hook} save={save} />
    </Sections>
  );
}

/** The parts of deliveries that it reads, and how long it keeps them. */
function Data({ hook, save, nowMs, checkIdentity }: HookSettingsProps) {
  return (
    <Sections>
      <EventTypeSection
        key={`type ${hook.provider}`}
        hook={hook}
        save={save}
        check={checkIdentity}
      />
      <FieldSearchSection hook={hook} nowMs={nowMs} save={save} />
      <RetentionSection hook={hook} save={save} />
    </Sections>
  );
}

function Sections({ children }: { children: ReactNode }) {
  return <div className="grid w-full max-w-3xl min-w-0 grid-cols-1 gap-6">{children}</div>;
}
