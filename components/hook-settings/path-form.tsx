"use client";

import { PathField, pathHint } from "#components/hooks/url-fields.tsx";
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

/** Sets a path of the catch URL, or goes back to a generated one. */
export function PathForm({ hook, save }: PathFormProps) {
  const section = useSection({
    hookId: hook.id,
    stored: { path: hook.path ?? "" },
    toChange: ({ path }) => ({ path: path === "" ? null : path }),
    save,
    saved: "The catch URL has changed. The previous one works for another 24 hours.",
  });
  return (
    <SectionForm section={section}>
      <PathField
        catchPrefix={hook.catchPrefix}
        value={section.draft.path}
        onChange={(path) => section.change({ path })}
        whyNoPath={hook.whyNoPath}
        error={section.fields.path}
      >
        {hook.path === null ? pathHint : "Leave it empty for a random one."} After a change, the
        current URL works for another 24 hours.
      </PathField>
    </SectionForm>
  );
}
