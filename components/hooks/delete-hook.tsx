"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { Count } from "./change-hook-status.ts";

type HookContents = {
  readonly deliveries: Count;
  readonly actions: number;
  readonly secrets: number;
  readonly openRuns: Count;
  /** The provider at which Catchment keeps it registered. Null: none. */
  readonly registeredAt: string | null;
};

export type DeleteHookCommands = {
  readonly deleteHook: (
    hookId: string,
    removeRegistration: boolean,
  ) => Promise<CommandResult<null>>;
  readonly readContents: (hookId: string) => Promise<CommandResult<HookContents>>;
};

type DeleteHookProps = DeleteHookCommands & {
  readonly hook: { readonly id: string; readonly name: string };
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Says how much is deleted with the hook, and asks for the hook's name. */
export function DeleteHook({ hook, isOpen, onClose, deleteHook, readContents }: DeleteHookProps) {
  const router = useRouter();
  const [contents, setContents] = useState<HookContents | string>();
  const [isRemoved, setRemoved] = useState(true);
  const isRegistered = typeof contents === "object" && contents.registeredAt !== null;

  useEffect(() => {
    if (!isOpen) return;
    const read = async () => {
      const result = await readContents(hook.id).catch(() => serverUnreachable);
      setContents(result.ok ? result.value : result.message);
    };
    void read();
  }, [isOpen, hook.id, readContents]);

  async function run() {
    const result = await deleteHook(hook.id, isRegistered && isRemoved);
    if (!result.ok) return result;
    toast(`“${safeText(hook.name)}” is deleted.`);
    router.push("/hooks");
    return result;
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete “${safeText(hook.name)}”?`}
      keepLabel="Cancel"
      confirmLabel="Delete hook"
      typed={safeText(hook.name)}
      run={run}
    >
      <p>Its catch URL stops working immediately. Requests to it get 404.</p>
      <p aria-live="polite">
        {contents === undefined && "Counting related data…"}
        {typeof contents === "string" && contents}
        {typeof contents === "object" && describeLoss(contents)}
      </p>
      {isRegistered && (
        <CheckField
          label="Also remove its webhook at the provider"
          text="Otherwise the provider goes on sending to a URL that responds with 404."
          checked={isRemoved}
          onChange={setRemoved}
        />
      )}
      <p>You can't undo this. To stop it temporarily, pause or disable it instead.</p>
    </ConfirmDialog>
  );
}

function describeLoss({ deliveries, actions, secrets, openRuns }: HookContents): string {
  const parts = [
    describeCount(deliveries, "delivery", "deliveries"),
    describeCount(actions, "action"),
    describeCount(secrets, "secret"),
  ];
  const runs =
    openRuns.count === 0
      ? ""
      : ` ${describeCount(openRuns, "call")} not made yet ${openRuns.count === 1 ? "is" : "are"} canceled.`;
  return `This also deletes ${parts.join(", ")}, and the history of all requests.${runs}`;
}
