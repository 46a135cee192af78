"use client";

import { PathField, pathHint } from "#components/hooks/url-fields.tsx";
import { optionalText } from "#components/ui/form/codec.ts";
import type { SaveHook } from "./save-hook.ts";
import { SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

export type PathFormProps = {
  readonly hook: {
    readonly id: string;
    readonly path: string | null;
    readonly catchPrefix: string;
    readonly whyNoPath: string | null;
  };
  readonly save: SaveHook;
};

const pathFields = { path: optionalText };

/** Sets a path of the catch URL, or goes back to a generated one. */
export function PathForm({ hook, save }: PathFormProps) {
  const section = useSection({
    fields: pathFields,
    hook,
    save,
    saved: "The catch URL has changed. The previous one works for another 24 hours.",
  });
  return (
    <SectionForm section={section}>
      <PathField catchPrefix={hook.catchPrefix} {...section.of("path")} whyNoPath={hook.whyNoPath}>
        {hook.path === null ? pathHint : "Leave it empty for a random one."} After a change, the
        current URL works for another 24 hours.
      </PathField>
    </SectionForm>
  );
}
