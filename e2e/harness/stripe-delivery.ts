import { createHash, createHmac } from "node:crypto";

/** The secret of the hook that the harness creates. */
export const stripeSecret = `whsec_${"harness0".repeat(4)}`;

/**
 * An event of 450 bytes as Stripe sends it. The same id gives the same bytes, so a retry is exact.
 */
export function makeStripeBody(eventId: string): Buffer {
  const token = createHash("sha256").update(eventId).digest("hex");
  const text = JSON.stringify({
    id: eventId,
    object: "event",
    api_version: "2026-10-28",
    created: 1_795_000_000,
    type: "checkout.session.completed",
    livemode: false,
    data: {
      object: {
        id: `cs_${token.slice(0, 24)}`,
        object: "checkout.session",
        amount_total: 4200,
        currency: "eur",
        customer_email: "jane@example.com",
        payment_status: "paid",
        client_reference_id: token,
        metadata: { note: "" },
      },
    },
  });
  // The note fills it up to its size.
  const cut = text.lastIndexOf('"note":""') + '"note":"'.length;
  return Buffer.from(
    `${text.slice(0, cut)}${"x".repeat(Math.max(0, 450 - text.length))}${text.slice(cut)}`,
  );
}

export function signStripe(body: Uint8Array, nowMs: number, secret = stripeSecret): string {
  const timestamp = Math.floor(nowMs / 1000);
  const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return `t=${timestamp},v1=${mac}`;
}

/** The whole request as sent over the wire, ready to be written to a socket. */
export function makeStripeRequest(path: string, body: Buffer, nowMs: number): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "User-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${body.byteLength}`,
    `Stripe-Signature: ${signStripe(body, nowMs)}`,
    "",
    "",
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head), body]);
}
