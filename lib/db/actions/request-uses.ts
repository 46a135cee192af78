import { readTemplateOrigin } from "#lib/core/build-request/template-origin.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { invalidField } from "#lib/errors.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import { listCalls } from "#lib/schema/action/steps.ts";
import type { ActionWork } from "./action-work.ts";

/** What the calls of an action name in their requests. */
export type RequestUses = {
  readonly destinationIds: readonly string[];
  readonly credentialIds: readonly string[];
};

type PlacedRequest = { readonly at: string; readonly request: ActionRequestTemplate };

function listRequests({
  request,
  steps,
}: Pick<ActionWork, "request" | "steps">): readonly PlacedRequest[] {
  if (request !== null) return [{ at: "request", request }];
  return listCalls(steps ?? []).map(({ step, at }) => ({
    at: `${at}.request`,
    request: step.request,
  }));
}

/**
 * The destinations and saved credentials of an action, each for the origin of its URL. They can't be
 * deleted or moved until the transaction ends. Throws `invalid_request` for any that isn't the
 * account's, or is for another origin.
 */
export async function requireUses(
  tx: Prisma.TransactionClient,
  accountId: string,
  work: ActionWork,
): Promise<RequestUses> {
  const requests = listRequests(work);
  const destinationIds = distinct(requests.map(({ request }) => request.destinationId));
  const credentialIds = distinct(requests.map(({ request }) => request.credentialId));
  const destinations =
    destinationIds.length === 0
      ? []
      : await tx.$queryRaw<Found[]>`
          select id, origin from destinations
          where id = any (${destinationIds}::uuid[]) and account_id = ${accountId}::uuid order by id for key share`;
  const credentials =
    credentialIds.length === 0
      ? []
      : await tx.$queryRaw<Found[]>`
          select id, origin from credentials
          where id = any (${credentialIds}::uuid[]) and account_id = ${accountId}::uuid order by id for key share`;
  for (const { at, request } of requests) {
    const { destinationId, credentialId } = request;
    const origin = readTemplateOrigin(request.url);
    if (destinationId !== undefined)
      requireOrigin(`${at}.destinationId`, "destination", destinations, destinationId, origin);
    if (credentialId !== undefined)
      requireOrigin(`${at}.auth.credentialId`, "credential", credentials, credentialId, origin);
  }
  return { destinationIds, credentialIds };
}

/** Those destinations and saved credentials that are there, for the origin of the URL. */
export async function findUses(
  db: Database,
  accountId: string,
  work: Pick<ActionWork, "request" | "steps">,
): Promise<ReadonlySet<string>> {
  const wanted = listRequests(work).flatMap(({ request }) => {
    const origin = readTemplateOrigin(request.url);
    const ids = [request.destinationId, request.credentialId].filter((id) => id !== undefined);
    return origin === null ? [] : ids.map((id) => ({ id, origin }));
  });
  if (wanted.length === 0) return new Set();
  const rows = await db.$queryRaw<Found[]>`
    select id, origin from (
      select id, origin, account_id from destinations union all select id, origin, account_id from credentials
    ) known
    where id = any (${wanted.map(({ id }) => id)}::uuid[]) and account_id = ${accountId}::uuid`;
  const isThere = (each: Found) =>
    rows.some(({ id, origin }) => id === each.id && origin === each.origin);
  return new Set(wanted.filter(isThere).map(({ id }) => id));
}

type Found = { readonly id: string; readonly origin: string };

function requireOrigin(
  path: string,
  what: string,
  known: readonly Found[],
  id: string,
  origin: string | null,
): void {
  const found = known.find((each) => each.id === id);
  if (found === undefined)
    throw invalidField(path, `there is no ${what} with this id`, "not_found");
  if (found.origin !== origin)
    throw invalidField(path, `is for ${found.origin}, but the URL isn't`, "conflict");
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
