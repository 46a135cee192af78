import { makeStripeBody, signStripe, stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";

/** Microseconds to verify one 450-byte Stripe delivery, median of nine rounds. */
export function measureVerification(): number {
  const verify = prepareVerifier({
    name: "stripe",
    scheme: findProvider("stripe")?.scheme,
    secrets: [stripeSecret],
  });
  const nowMs = Date.now();
  const requests = Array.from({ length: 500 }, (_, index) => {
    const body = makeStripeBody(`evt_verify_${index}`);
    const headers = Object.assign(Object.create(null), { "stripe-signature": [signStripe(body, nowMs)] });
    return { method: "POST", url: "http://127.0.0.1/catch/main/x", headers, body, query: "" };
  });
  const round = (): number => {
    const startedAt = performance.now();
    for (let turn = 0; turn < 10; turn += 1) {
      for (const request of requests) {
        if (verify(request, nowMs).outcome !== "verified") throw new Error("A genuine delivery was refused");
      }
    }
    return ((performance.now() - startedAt) * 1000) / (requests.length * 10);
  };
  round();
  const rounds = Array.from({ length: 9 }, round).sort((a, b) => a - b);
  return rounds[4] ?? Number.NaN;
}
