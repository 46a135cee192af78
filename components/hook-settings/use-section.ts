"use client";

import { startTransition, useState } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import {
  type Codecs,
  type Draft,
  readInput,
  toDraft,
  type Values,
} from "#components/ui/form/codec.ts";
import { findField } from "#components/ui/form/field-of.ts";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { HookChange, SaveHook } from "./save-hook.ts";

type SectionOptions<Fields extends Codecs> = {
  readonly fields: Fields;
  /** The hook, with the stored values of the fields. */
  readonly hook: Values<Fields> & { readonly id: string };
  readonly save: SaveHook;
  readonly saved?: string;
};

/**
 * The fields of one section. Saving sends only what differs from what is stored, so that a default
 * stays a default. What was typed stays until it is saved or discarded, even if another section is
 * saved meanwhile.
 */
export function useSection<Fields extends Codecs>({
  fields,
  hook,
  save,
  saved = "Saved. This applies to new deliveries.",
}: SectionOptions<Fields>) {
  const [edited, setEdited] = useState<Draft<Fields> | null>(null);
  const stored = toDraft(fields, hook);
  const draft = edited ?? stored;
  const changes = listChanges(readInput(fields, draft), readInput(fields, stored));
  const command = useCommand(async () => {
    const result = await save(hook.id, changes);
    if (result.ok) {
      toast(saved);
      // What was typed since then stays.
      startTransition(() => setEdited((now) => (now === edited ? null : now)));
    }
    return result;
  });
  const change = (part: Partial<Draft<Fields>>) => setEdited({ ...draft, ...part });
  return {
    ...command,
    draft,
    of: findField({ fields, draft, change, errors: command.rejection?.errors ?? [] }),
    isChanged: Object.keys(changes).length > 0,
    discard() {
      setEdited(null);
      command.reset();
    },
  };
}

/** The fields of `next` whose values differ. */
export function listChanges(next: HookChange, stored: HookChange): HookChange {
  return Object.fromEntries(
    Object.entries(next).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field]),
    ),
  );
}
