import type { Sealer } from "#lib/core/seal/sealer.ts";
import { type ActionRecord, openActionAuth } from "#lib/db/actions/action-record.ts";
import { secretHint } from "#lib/db/secrets/secret-hint.ts";
import { mapOptions } from "#lib/schema/action/action-options.ts";
import type { RequestAuth } from "#lib/schema/action/action-request.ts";
import { exactJson } from "./api-json.ts";

/** An action in the API's responses, with only the kind and a hint of its credentials. */
export function showAction(action: ActionRecord, sealer: Sealer) {
  const { id, hookId, name, enabled, position, filter, retry } = action;
  const { method, url, headers, query, body, bodyText, forward } = action.request;
  const request = {
    method,
    url,
    headers,
    query,
    body: exactJson(body),
    bodyText,
    forward,
    auth: showAuth(action, sealer),
  };
  const { createdAt, updatedAt } = action;
  return {
    id,
    hookId,
    name,
    enabled,
    position,
    filter: exactJson(filter),
    request,
    retry,
    ...mapOptions((option) => action[option]),
    createdAt,
    updatedAt,
  };
}

function showAuth(action: ActionRecord, sealer: Sealer) {
  const auth = openActionAuth(sealer, action);
  return auth === null ? null : { type: auth.type, ...hintOf(auth) };
}

function hintOf(auth: RequestAuth) {
  switch (auth.type) {
    case "bearer":
      return { hint: secretHint(auth.token) };
    case "basic":
      // Many services use a key as the user name alone, so the name is as secret as the password.
      return { hint: secretHint(auth.password === "" ? auth.username : auth.password) };
    case "header":
    case "query":
    case "body":
      return { name: auth.name, hint: secretHint(auth.value) };
    default:
      return auth satisfies never;
  }
}
