/** The delivery that the tests alter, and how its provider signs it. */
import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { nowMs } from "./test-diagnosis-input.ts";

const stripe = new Stripe("sk_test_x");
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const body = JSON.stringify({ id: "evt_1", type: "invoice.paid", name: "Zoë" });
export const seconds = nowMs / 1000;

export function signStripe(timestamp = seconds) {
  return {
    "Stripe-Signature": stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp,
    }),
  };
}

export function mac(hash: string, encoding: "hex" | "base64" | "base64url", text: string): string {
  return createHmac(hash, secret).update(text).digest(encoding);
}
