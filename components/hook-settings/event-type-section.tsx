"use client";

import { type CheckIdentity, type DefaultRule, IdentityFields } from "./identity-fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { type StoredRule, sourceRule } from "./source-rule.ts";
import { useSection } from "./use-section.ts";

type EventTypeSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly eventType: StoredRule;
    readonly defaultEventType: DefaultRule;
  };
  readonly save: SaveHook;
  readonly check: CheckIdentity;
};

export function EventTypeSection({ hook, save, check }: EventTypeSectionProps) {
  const { defaultEventType } = hook;
  const section = useSection({
    fields: { eventType: sourceRule(defaultEventType.rule) },
    hook,
    save,
  });
  const rule = section.of("eventType");
  return (
    <Section title="Event type" lead="Used in lists, filters, and actions.">
      <SectionForm section={section}>
        <IdentityFields
          hookId={hook.id}
          what="eventType"
          rule={rule.value}
          onChange={rule.onChange}
          usual={defaultEventType}
          fields={section.fields}
          check={check}
        />
      </SectionForm>
    </Section>
  );
}
