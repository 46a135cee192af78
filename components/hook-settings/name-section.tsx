"use client";

import { TextField } from "#components/ui/form/field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

type NameSectionProps = {
  readonly hook: { readonly id: string; readonly name: string };
  readonly save: SaveHook;
};

export function NameSection({ hook, save }: NameSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: { name: hook.name },
    toChange: ({ name }) => ({ name }),
    save,
    saved: "Renamed. The catch URL is still the same.",
  });
  return (
    <Section title="Name">
      <SectionForm section={section}>
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          value={section.draft.name}
          onChange={(event) => section.change({ name: event.target.value })}
          error={section.fields.name}
        />
      </SectionForm>
    </Section>
  );
}
