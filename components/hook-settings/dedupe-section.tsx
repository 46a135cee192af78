"use client";

import { type CheckIdentity, type DefaultRule, IdentityFields } from "./identity-fields.tsx";
import { ReplayField, type ReplayView } from "./replay-field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { type StoredRule, toSourceRule, toStoredRule } from "./source-rule.ts";
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
  const { dedupe, defaultDedupe, replay } = hook;
  const section = useSection({
    hookId: hook.id,
    stored: { rule: toSourceRule(dedupe, defaultDedupe.rule), isReplayOn: replay?.isOn ?? false },
    toChange: ({ rule, isReplayOn }) => ({
      dedupe: toStoredRule(rule, defaultDedupe.rule),
      replayProtection: isReplayOn,
    }),
    save,
  });
  const { draft, change, fields } = section;
  return (
    <Section
      title="De-duplication"
      lead="A repeated event is stored as a duplicate and runs no actions."
    >
      <SectionForm section={section}>
        <IdentityFields
          hookId={hook.id}
          what="dedupe"
          rule={draft.rule}
          onChange={(rule) => change({ rule })}
          usual={defaultDedupe}
          fields={fields}
          check={check}
        />
        {replay !== null && (
          <ReplayField
            replay={replay}
            isOn={draft.isReplayOn}
            onChange={(isReplayOn) => change({ isReplayOn })}
          />
        )}
      </SectionForm>
    </Section>
  );
}
