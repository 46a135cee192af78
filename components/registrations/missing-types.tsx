"use client";

import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { RecreateRule } from "#lib/schema/receive/registration.ts";
import type { ConnectFormProps } from "./connect-form.tsx";

type MissingTypesProps = {
  readonly hookId: string;
  readonly registration: {
    readonly eventTypes: readonly string[];
    readonly recreate: RecreateRule;
    readonly missing: string | null;
    readonly missingTypes: readonly string[];
  };
  readonly register: ConnectFormProps["register"];
};

/** The event types that actions name and the provider doesn't send, with a button that adds them. */
export function MissingTypes({ hookId, registration, register }: MissingTypesProps) {
  const { eventTypes, recreate, missing, missingTypes } = registration;
  if (missing === null) return null;
  const all = [...eventTypes, ...missingTypes].join("\n");
  return (
    <Notice tone="caution">
      <span className="grid justify-items-start gap-3">
        <span className="min-w-0 break-words">
          {safeText(missing)}: {safeText(missingTypes.join(", "))}
        </span>
        <Allowed to="hooks:write">
          <CommandButton
            done="Catchment registers them within seconds."
            run={() =>
              register(hookId, { credentialId: "", eventTypes: all, resource: "", recreate })
            }
          >
            {missingTypes.length === 1 ? "Add it" : "Add them"}
          </CommandButton>
        </Allowed>
      </span>
    </Notice>
  );
}
