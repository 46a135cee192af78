"use client";

import { type KeyboardEvent, useOptimistic, useRef, useState, useTransition } from "react";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type RenameHook = (hookId: string, name: string) => Promise<CommandResult<null>>;

type InlineRenameProps = {
  readonly hook: { readonly id: string; readonly name: string };
  readonly rename: RenameHook;
};

/**
 * Renames a hook in place: shows the new name immediately, and the old one again if saving fails.
 */
export function InlineRename({ hook, rename }: InlineRenameProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [name, setName] = useOptimistic(hook.name);
  const [, startTransition] = useTransition();

  function end(next: string | null) {
    setIsEditing(false);
    // Returns the focus to where keyboard users were.
    requestAnimationFrame(() => button.current?.focus());
    if (next === null || next.trim() === "" || next.trim() === hook.name) return;
    startTransition(async () => {
      setName(next.trim());
      const result = await rename(hook.id, next).catch(() => serverUnreachable);
      if (result.ok)
        toast(`Renamed to “${safeText(next.trim())}”.`, { undo: () => rename(hook.id, hook.name) });
      else {
        const error = result.errors.find(({ path }) => path === "name");
        toast(error === undefined ? result.message : `The name ${error.message}.`, {
          tone: "negative",
        });
      }
    });
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Enter") end(event.currentTarget.value);
    if (event.key === "Escape") end(null);
  }

  if (isEditing) {
    return (
      <input
        aria-label={`New name of ${safeText(hook.name)}`}
        defaultValue={name}
        // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
        autoFocus
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={(event) => end(event.target.value)}
        className="relative z-[1] h-8 w-full min-w-0 rounded-md border border-input bg-card px-2 text-sm font-medium"
      />
    );
  }
  return (
    <span className="hook-name">
      <Link href={`/hooks/${hook.id}`} className="hook-link">
        {safeText(name)}
      </Link>
      <IconButton
        ref={button}
        label={`Rename ${safeText(hook.name)}`}
        onClick={() => setIsEditing(true)}
        className="hook-rename"
      >
        <Icon name="pencil" className="size-3.5" />
      </IconButton>
    </span>
  );
}
