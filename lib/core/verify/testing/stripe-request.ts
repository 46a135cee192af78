import { signRequest } from "../sign.ts";
import { schemeOf } from "./scheme-of.ts";
import { requestOf } from "./test-request.ts";

export const nowMs = 1_700_000_000_000;

/** A request for tests, signed as Stripe does, at `nowMs`. */
export function stripeRequest(secret: string, timestampMs = nowMs) {
  const body = Buffer.from('{"id":"evt_1"}');
  return requestOf(signRequest(schemeOf("stripe"), secret, { body, timestampMs }), body);
}
