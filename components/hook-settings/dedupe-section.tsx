"use client";

import { asIs } from "#components/ui/form/codec.ts";
import { type CheckIdentity, type DefaultRule, IdentityFields } from "./identity-fields.tsx";
import { ReplayField, type ReplayView } from "./replay-field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { type StoredRule, sourceRule } from "./source-rule.ts";
import { useSection } from "./use-section.ts";

type DedupeSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly dedupe: StoredRule;
    readonly defaultDedupe: DefaultRule;
    /** Null: not verified. */
    readonly replay: ReplayView | null;
  };
  readonly save: SaveHook;
  readonly check: CheckIdentity;
};

/** The rule by which a delivery is a duplicate. */
export function DedupeSection({ hook, save, check }: DedupeSectionProps) {
  const { defaultDedupe, replay } = hook;
  const section = useSection({
    fields: { dedupe: sourceRule(defaultDedupe.rule), replayProtection: asIs<boolean>() },
    hook: { ...hook, replayProtection: replay?.isOn ?? false },
    save,
  });
  const rule = section.of("dedupe");
  const protection = section.of("replayProtection");
  return (
    <Section
      title="De-duplication"
      lead="A repeated event is stored as a duplicate and runs no actions."
    >
      <SectionForm section={section}>
        <IdentityFields
          hookId={hook.id}
          what="dedupe"
          rule={rule.value}
          onChange={rule.onChange}
          usual={defaultDedupe}
          fields={section.fields}
          check={check}
        />
        {replay !== null && (
          <ReplayField replay={replay} isOn={protection.value} onChange={protection.onChange} />
        )}
      </SectionForm>
    </Section>
  );
}
