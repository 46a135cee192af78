"use server";

import { registerHook, removeRegistration } from "#lib/services/registrations.ts";
import { change } from "#lib/web/auth/run-service.ts";

type Asked = {
  readonly credentialId: string;
  readonly eventTypes: string;
  readonly resource: string;
  readonly recreate: "ask" | "always";
};

export const registerHookCommand = change(registerHook, ["id", readAsked]);
export const removeRegistrationCommand = change(removeRegistration, ["id", "keep"]);

/** Types are written one a line, or with commas between them. */
function readAsked({ credentialId, eventTypes, resource, recreate }: Asked) {
  return {
    ...(credentialId === "" ? {} : { credentialId }),
    ...(resource === "" ? {} : { resource }),
    ...{ recreate, eventTypes: eventTypes.split(/[\s,]+/).filter((type) => type !== "") },
  };
}
