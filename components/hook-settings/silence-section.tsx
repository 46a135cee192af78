"use client";

import { asIs, group, optionalNumber } from "#components/ui/form/codec.ts";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

type SilenceSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly silence: {
      readonly enabled: boolean;
      readonly expectEveryMinutes: number | null;
    };
    readonly rhythm: {
      readonly usualNow: string | null;
      readonly unknown: "never" | "too_new" | "too_few" | null;
    };
  };
  readonly save: SaveHook;
};

const silenceFields = {
  silence: group({ enabled: asIs<boolean>(), expectEveryMinutes: optionalNumber }),
};

/** Whether a problem opens when no delivery is accepted anymore. */
export function SilenceSection({ hook, save }: SilenceSectionProps) {
  const section = useSection({
    fields: silenceFields,
    hook,
    save,
    saved: "Saved. This applies within a minute.",
  });
  const { of, draft } = section;
  return (
    <Section title="Silence" lead="Find out when deliveries stop, before a customer does.">
      <SectionForm section={section}>
        <FieldCheck
          of={of("silence", "enabled")}
          label="Open a problem when no delivery is accepted for unusually long"
          text="Rejected deliveries count as silence. Nights and weekends that are always quiet don't."
        />
        {draft.silence.enabled && (
          <>
            <p className="text-sm text-muted-foreground">{describeRhythm(hook.rhythm)}</p>
            <Field
              of={of("silence", "expectEveryMinutes")}
              label="Expect at least one every … minutes"
              placeholder="As usual for this hook"
              hint="Leave it empty to use the learned rhythm. A number applies day and night."
            />
          </>
        )}
      </SectionForm>
    </Section>
  );
}

function describeRhythm({ usualNow, unknown }: SilenceSectionProps["hook"]["rhythm"]): string {
  switch (unknown) {
    case null:
      return usualNow === null
        ? "Usually nothing arrives at this hour of the week."
        : `Usually ${usualNow} at this time of the week.`;
    case "never":
      return "Nothing has been accepted yet. Its rhythm is learned from two weeks of deliveries.";
    case "too_new":
      return "Learning its rhythm takes two weeks. Until then, only the number below applies.";
    case "too_few":
      return "Learning a rhythm takes ten deliveries. Until then, only the number below applies.";
    default:
      return unknown satisfies never;
  }
}
