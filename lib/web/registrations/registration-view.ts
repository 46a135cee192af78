import { z } from "zod";
import { findRegistrar } from "#lib/core/providers/registrars/find-registrar.ts";
import { recreateRules, registrationStatuses } from "#lib/schema/receive/registration.ts";
import type { RegistrationRecord } from "#lib/services/registrations.ts";
import { view } from "#lib/web/route/view.ts";

const registrationSchema = z
  .object({
    hookId: z.string(),
    provider: z.string(),
    status: z.enum(registrationStatuses),
    summary: z.string().describe("The state in a few words"),
    reason: z.string().nullable().describe("Why it isn't as it should be, in a sentence"),
    resource: z.string().describe("What it belongs to at the provider. Empty: the account"),
    credentialId: z.string().nullable().describe("Null: it was deleted since"),
    eventTypes: z.array(z.string()).describe("Those that it is to have"),
    registeredTypes: z
      .array(z.string())
      .describe("Those that it had at the last look, as the provider writes them"),
    missingTypes: z
      .array(z.string())
      .describe("Those that enabled actions of the hook name, and that it hasn't"),
    recreate: z.enum(recreateRules),
    providerId: z.string().nullable().describe("Its id at the provider. Null: not registered yet"),
    url: z.string().nullable().describe("The URL that the provider has"),
    isAdopted: z.boolean().describe("It was at the provider before"),
    checkedAt: z.date().nullable().describe("When the provider last said what it has"),
    revivedAt: z
      .date()
      .nullable()
      .describe("When it was last enabled again, after the provider had taken it away"),
    expiresAt: z
      .date()
      .nullable()
      .describe("When it would end if it weren't renewed at two thirds of its life. Null: never"),
    createdBy: z.string(),
    createdAt: z.date(),
  })
  .meta({ id: "Registration" });

/** A registration in the API's responses, and on its page. */
export const registrationView = view(
  registrationSchema,
  ({ id: _, appliedTypes: __, ...registration }: RegistrationRecord) => ({
    ...registration,
    eventTypes: [...registration.eventTypes],
    registeredTypes: [...registration.registeredTypes],
    missingTypes: [...registration.missingTypes],
    summary: describeRegistration(registration),
  }),
);

/** "Registered at Stripe, 6 event types". */
export function describeRegistration(
  registration: Pick<RegistrationRecord, "provider" | "status" | "eventTypes" | "resource">,
): string {
  const { provider, status, eventTypes, resource } = registration;
  const name = findRegistrar(provider)?.name ?? provider;
  const place = resource === "" ? name : `${name}, ${resource}`;
  switch (status) {
    case "connecting":
      return `Registering at ${place}`;
    case "registered":
      return `Registered at ${place}, ${countTypes(eventTypes)}`;
    case "missing":
      return `Deleted at ${place}`;
    case "failing":
      return `Can't be kept registered at ${place}`;
    case "removing":
      return `Being removed at ${place}`;
    default:
      return status satisfies never;
  }
}

/** "2 types that your actions use aren't registered at Stripe". Null: none. */
export function describeMissingTypes({
  provider,
  missingTypes,
}: Pick<RegistrationRecord, "provider" | "missingTypes">): string | null {
  const name = findRegistrar(provider)?.name ?? provider;
  const count = missingTypes.length;
  if (count === 0) return null;
  return count === 1
    ? `1 type that your actions use isn't registered at ${name}`
    : `${count} types that your actions use aren't registered at ${name}`;
}

function countTypes(eventTypes: readonly string[]): string {
  if (eventTypes.includes("*")) return "all event types";
  return eventTypes.length === 1 ? "1 event type" : `${eventTypes.length} event types`;
}
