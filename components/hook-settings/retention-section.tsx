"use client";

import { TextField } from "#components/ui/form/field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { readNumber, useSection } from "./use-section.ts";

type RetentionSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly retentionDays: number | null;
    readonly retentionCount: number | null;
    /** The installation's. 0: everything is kept. */
    readonly defaultRetentionDays: number;
  };
  readonly save: SaveHook;
};

/** For how long, and how many deliveries the hook keeps. */
export function RetentionSection({ hook, save }: RetentionSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: {
      days: String(hook.retentionDays ?? ""),
      count: String(hook.retentionCount ?? ""),
    },
    toChange: ({ days, count }) => ({
      retentionDays: readNumber(days),
      retentionCount: readNumber(count),
    }),
    save,
    saved: "Saved. What is older is deleted within a quarter of an hour.",
  });
  const { draft, change, fields } = section;
  const usual = hook.defaultRetentionDays;
  return (
    <Section
      title="Retention"
      lead="Older deliveries are deleted with their runs. Those with an open run are kept until it ends."
    >
      <SectionForm section={section}>
        <TextField
          label="Keep deliveries for … days"
          name="retentionDays"
          inputMode="numeric"
          autoComplete="off"
          placeholder={usual === 0 ? "Without a limit" : String(usual)}
          hint={
            usual === 0
              ? "Leave it empty to keep them without a limit."
              : `Leave it empty for the default, ${usual} days. This server keeps nothing longer.`
          }
          value={draft.days}
          onChange={(event) => change({ days: event.target.value })}
          error={fields.retentionDays}
        />
        <TextField
          label="Keep the newest … deliveries"
          name="retentionCount"
          inputMode="numeric"
          autoComplete="off"
          placeholder="All"
          hint="Leave it empty to keep all of them."
          value={draft.count}
          onChange={(event) => change({ count: event.target.value })}
          error={fields.retentionCount}
        />
      </SectionForm>
    </Section>
  );
}
