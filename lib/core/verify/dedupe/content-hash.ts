import { createHash } from "node:crypto";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import type { Payload } from "#lib/core/mapping/payload/read-payload.ts";
import { toBodySteps } from "./body-path.ts";
import { omitValues } from "./omit-values.ts";

/** The parts of a request that can identify an event. */
export type IdentifiableRequest = {
  readonly headers: DistinctHeaders;
  readonly body: Uint8Array;
  readonly payload: Payload;
  /** Omitted, with the other parts of the request line: an item of a batch. */
  readonly method?: string;
  /** The path after the hook's key, as sent and without a credential. */
  readonly path?: string;
  /** The query as sent, without a credential. */
  readonly query?: string;
};

/**
 * Hashes the body, or of a request without one the method, path, and query: they are all that it
 * says. A signature often covers the body alone, so with a body they don't count: an attacker who
 * sends a captured body again could make it another event with another query.
 *
 * @param except fields of JSON whose values are left out. The rest stays as sent
 * @returns null if there is nothing: all such requests are equal
 */
export function hashContent(
  request: IdentifiableRequest,
  except: readonly string[] | undefined,
): Buffer | null {
  const { body, payload } = request;
  if (body.byteLength === 0) return hashTarget(request);
  if (except === undefined || payload.kind !== "json" || !payload.isUtf8) return hashBody(body);
  const paths = except.map((path) => toBodySteps(path, payload.value));
  return hashBody(Buffer.from(omitValues(payload.text, paths)));
}

/**
 * Hashes everything by which a sender that signs nothing tells two events apart: method, path,
 * query, body, and the headers that name the type of an event. Two events about one object may have
 * the same body. Other headers differ between the attempts of one event.
 *
 * @returns null if there is nothing: all such requests are equal
 */
export function hashRequest(request: IdentifiableRequest): Buffer | null {
  const { method = "", query = "", headers, body } = request;
  const path = readBelow(request);
  const types = Object.entries(headers)
    .filter(([name]) => namesType.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (body.byteLength === 0 && path === "" && query === "" && types.length === 0) return null;
  const line = JSON.stringify([method, path, query, types]);
  return createHash("sha256").update(`r${line.length}:${line}`).update(body).digest();
}

/** `x-shopify-topic`, `x-github-event`, `x-event-key`, `webhook-event-type`, `ce-type`. */
const namesType = /(?:^|-)(?:(?:event|topic)(?:-?(?:type|name|key))?|(?:ce|message)-type)$/;

function hashTarget(request: IdentifiableRequest): Buffer | null {
  const { method = "", query = "" } = request;
  const path = readBelow(request);
  if (path === "" && query === "") return null;
  return createHash("sha256")
    .update(`u${JSON.stringify([method, path, query])}`)
    .digest();
}

/** A slash after the hook's key says nothing. */
function readBelow({ path = "" }: IdentifiableRequest): string {
  return path === "/" ? "" : path;
}

export function hashBody(body: Uint8Array): Buffer {
  return createHash("sha256").update("c").update(body).digest();
}
