import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { listCredentials } from "#lib/services/credentials.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readRegistrar } from "#lib/services/registrations.ts";
import { listFitting } from "#lib/web/credentials/list-fitting.ts";
import { readHookHeader } from "#lib/web/hooks/read-hook-page.ts";
import { describeMissingTypes, describeRegistration } from "./registration-view.ts";

const maxCredentials = "200";

/** How a hook can be registered, and its registration. Throws `not_found`. */
export async function readRegistrationPage(context: ServiceContext, hookId: string) {
  const hook = await readHookHeader(context, hookId);
  const [found, credentials] = await Promise.all([
    readRegistrar(context, { id: hook.id }),
    listCredentials(context, { limit: maxCredentials }),
  ]);
  return {
    nowMs: context.now().getTime(),
    hook,
    registration: found?.registration == null ? null : viewRegistration(found.registration),
    source: found === null ? null : viewSource(found, credentials.items),
  };
}

/** The state of a hook's webhook in a line. Null: Catchment keeps none. */
export async function readRegistrationLine(context: ServiceContext, hookId: string) {
  const found = await readRegistrar(context, { id: hookId });
  if (found?.registration == null) return null;
  const { status, checkedAt, missingTypes } = found.registration;
  const missing = describeMissingTypes(found.registration);
  return {
    status,
    checkedAt,
    missing,
    missingTypes,
    summary: describeRegistration(found.registration),
  };
}

type Found = NonNullable<Awaited<ReturnType<typeof readRegistrar>>>;
type Credentials = Awaited<ReturnType<typeof listCredentials>>["items"];

function viewSource({ registrar, whyNot, lastCredentialId }: Found, credentials: Credentials) {
  const { name, provider, origin, isOrigin, credentialHelp, typesHelp, resource } = registrar;
  return {
    ...{ name, origin, credentialHelp, typesHelp, whyNot, lastCredentialId },
    secret: registrar.secret,
    listsEvents: findEventList(provider) !== null,
    resource: resource === null ? null : { label: resource.label, help: resource.help },
    credentials: listFitting(credentials, { origin, isOrigin }, lastCredentialId),
  };
}

function viewRegistration(registration: NonNullable<Found["registration"]>) {
  const { status, reason, resource, eventTypes, recreate, url, isAdopted } = registration;
  const { checkedAt, revivedAt, credentialId, missingTypes } = registration;
  return {
    ...{ missing: describeMissingTypes(registration), missingTypes: [...missingTypes] },
    ...{ status, reason, resource, eventTypes: [...eventTypes], recreate, url, isAdopted },
    ...{ checkedAt, revivedAt, credentialId, summary: describeRegistration(registration) },
  };
}
