"use client";

import { plainText } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

type NameSectionProps = {
  readonly hook: { readonly id: string; readonly name: string };
  readonly save: SaveHook;
};

const nameFields = { name: plainText };

export function NameSection({ hook, save }: NameSectionProps) {
  const section = useSection({
    fields: nameFields,
    hook,
    save,
    saved: "Renamed. The catch URL is still the same.",
  });
  return (
    <Section title="Name">
      <SectionForm section={section}>
        <Field of={section.of("name")} label="Name" />
      </SectionForm>
    </Section>
  );
}
