"use client";

import { optionalNumber } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

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

const retentionFields = { retentionDays: optionalNumber, retentionCount: optionalNumber };

/** For how long, and how many deliveries the hook keeps. */
export function RetentionSection({ hook, save }: RetentionSectionProps) {
  const section = useSection({
    fields: retentionFields,
    hook,
    save,
    saved: "Saved. What is older is deleted within a quarter of an hour.",
  });
  const { of } = section;
  const usual = hook.defaultRetentionDays;
  return (
    <Section
      title="Retention"
      lead="Older deliveries are deleted with their runs. Those with an open run are kept until it ends."
    >
      <SectionForm section={section}>
        <Field
          of={of("retentionDays")}
          label="Keep deliveries for … days"
          placeholder={usual === 0 ? "Without a limit" : String(usual)}
          hint={
            usual === 0
              ? "Leave it empty to keep them without a limit."
              : `Leave it empty for the default, ${usual} days. This server keeps nothing longer.`
          }
        />
        <Field
          of={of("retentionCount")}
          label="Keep the newest … deliveries"
          placeholder="All"
          hint="Leave it empty to keep all of them."
        />
      </SectionForm>
    </Section>
  );
}
