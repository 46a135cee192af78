"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

type FieldSearchSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly fieldSearch: boolean;
    readonly fieldSearchUntil: Date | null;
  };
  readonly nowMs: number;
  readonly save: SaveHook;
};

/** Whether any field of its payloads is found quickly. */
export function FieldSearchSection({ hook, nowMs, save }: FieldSearchSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: { fieldSearch: hook.fieldSearch },
    toChange: ({ fieldSearch }) => ({ fieldSearch }),
    save,
    saved: "Saved. Deliveries are indexed in the background.",
  });
  const { draft, change } = section;
  return (
    <Section
      title="Field search"
      lead="Find deliveries by any value of their payload, such as data.object.customer = cus_123."
    >
      <SectionForm section={section}>
        <CheckField
          label="Index the fields of this hook's payloads"
          text="Without it, a search reads deliveries one by one. The index takes about half a kilobyte for each."
          checked={draft.fieldSearch}
          onChange={(fieldSearch) => change({ fieldSearch })}
        />
        {hook.fieldSearch && hook.fieldSearchUntil !== null && (
          <p className="text-sm text-muted-foreground">
            Indexed until <RelativeTime at={hook.fieldSearchUntil} nowMs={nowMs} />. Later
            deliveries are read one by one.
          </p>
        )}
      </SectionForm>
    </Section>
  );
}
