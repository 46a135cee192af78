"use client";

import { type CheckIdentity, type DefaultRule, IdentityFields } from "./identity-fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { type StoredRule, toSourceRule, toStoredRule } from "./source-rule.ts";
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
  const { eventType, defaultEventType } = hook;
  const section = useSection({
    hookId: hook.id,
    stored: { rule: toSourceRule(eventType, defaultEventType.rule) },
    toChange: ({ rule }) => ({ eventType: toStoredRule(rule, defaultEventType.rule) }),
    save,
  });
  return (
    <Section title="Event type" lead="Used in lists, filters, and actions.">
      <SectionForm section={section}>
        <IdentityFields
          hookId={hook.id}
          what="eventType"
          rule={section.draft.rule}
          onChange={(rule) => section.change({ rule })}
          usual={defaultEventType}
          fields={section.fields}
          check={check}
        />
      </SectionForm>
    </Section>
  );
}
