"use client";

import { asIs } from "#components/ui/form/codec.ts";
import { FieldCheck } from "#components/ui/form/fields.tsx";
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

const searchFields = { fieldSearch: asIs<boolean>() };

/** Whether any field of its payloads is found quickly. */
export function FieldSearchSection({ hook, nowMs, save }: FieldSearchSectionProps) {
  const section = useSection({
    fields: searchFields,
    hook,
    save,
    saved: "Saved. Deliveries are indexed in the background.",
  });
  return (
    <Section
      title="Field search"
      lead="Find deliveries by any value of their payload, such as data.object.customer = cus_123."
    >
      <SectionForm section={section}>
        <FieldCheck
          of={section.of("fieldSearch")}
          label="Index the fields of this hook's payloads"
          text="Without it, a search reads deliveries one by one. The index takes about half a kilobyte for each."
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
