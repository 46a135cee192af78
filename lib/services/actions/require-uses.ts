import { invalidField } from "#lib/base/errors.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import {
  findUses,
  holdUses,
  type RequestUses,
  type UsedReceiver,
} from "#lib/db/actions/request-uses.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { listCalls } from "#lib/schema/act/steps.ts";

type Requests = Pick<ActionWork, "request" | "steps">;

/**
 * The destinations and saved credentials of an action, each for the origin of its URL. They can't be
 * deleted or moved until the transaction ends. Throws `invalid_request` for any that isn't the
 * account's, or is for another origin.
 */
export async function requireUses(
  tx: Transaction,
  accountId: string,
  work: Requests,
): Promise<RequestUses> {
  const requests = listRequests(work);
  const uses: RequestUses = {
    destinationIds: distinct(requests.map(({ request }) => request.destinationId)),
    credentialIds: distinct(requests.map(({ request }) => request.credentialId)),
  };
  const { destinations, credentials } = await holdUses(tx, accountId, uses);
  for (const { at, request } of requests) {
    const { destinationId, credentialId } = request;
    const origin = readTemplateOrigin(request.url);
    if (destinationId !== undefined)
      requireOrigin(`${at}.destinationId`, "destination", destinations, destinationId, origin);
    if (credentialId !== undefined)
      requireOrigin(`${at}.auth.credentialId`, "credential", credentials, credentialId, origin);
  }
  return uses;
}

/** Returns the ids of the destinations and credentials that the action may use: those of the same origin. */
export async function findUsable(
  db: Database,
  accountId: string,
  work: Requests,
): Promise<ReadonlySet<string>> {
  const wanted = listRequests(work).flatMap(({ request }) => {
    const origin = readTemplateOrigin(request.url);
    const ids = [request.destinationId, request.credentialId].filter((id) => id !== undefined);
    return origin === null ? [] : ids.map((id) => ({ id, origin }));
  });
  const ids = wanted.map(({ id }) => id);
  const found = await findUses(db, accountId, ids);
  const isThere = (each: UsedReceiver) =>
    found.some(({ id, origin }) => id === each.id && origin === each.origin);
  return new Set(wanted.filter(isThere).map(({ id }) => id));
}

type PlacedRequest = { readonly at: string; readonly request: ActionRequestTemplate };

function listRequests({ request, steps }: Requests): readonly PlacedRequest[] {
  if (request !== null) return [{ at: "request", request }];
  return listCalls(steps ?? []).map(({ step, at }) => ({
    at: `${at}.request`,
    request: step.request,
  }));
}

function requireOrigin(
  path: string,
  what: string,
  known: readonly UsedReceiver[],
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
