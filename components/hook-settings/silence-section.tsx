"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { readNumber, useSection } from "./use-section.ts";

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

/** Whether a problem opens when no delivery is accepted anymore. */
export function SilenceSection({ hook, save }: SilenceSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: {
      enabled: hook.silence.enabled,
      every: String(hook.silence.expectEveryMinutes ?? ""),
    },
    toChange: ({ enabled, every }) => ({
      silence: { enabled, expectEveryMinutes: readNumber(every) },
    }),
    save,
    saved: "Saved. This applies within a minute.",
  });
  const { draft, change, fields } = section;
  return (
    <Section title="Silence" lead="Find out when deliveries stop, before a customer does.">
      <SectionForm section={section}>
        <CheckField
          label="Open a problem when no delivery is accepted for unusually long"
          text="Rejected deliveries count as silence. Nights and weekends that are always quiet don't."
          checked={draft.enabled}
          onChange={(enabled) => change({ enabled })}
        />
        {draft.enabled && (
          <>
            <p className="text-sm text-muted-foreground">{describeRhythm(hook.rhythm)}</p>
            <TextField
              label="Expect at least one every … minutes"
              name="expectEveryMinutes"
              inputMode="numeric"
              autoComplete="off"
              placeholder="As usual for this hook"
              hint="Leave it empty to use the learned rhythm. A number applies day and night."
              value={draft.every}
              onChange={(event) => change({ every: event.target.value })}
              error={fields["silence.expectEveryMinutes"]}
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
