import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const merchantId = "6SSW7HV8K2ST5";

const locationId = "S8GWD5R9QB376";

const money = (amount: number) => ({ amount, currency: "USD" });

/** https://developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref */
export const squareSamples: SampleEvents = [
  { type: "payment.updated", make: (fresh) => payment(fresh) },
  { type: "order.created", make: (fresh) => order(fresh) },
];

function event(fresh: Fresh, type: string, data: object): SampleContent {
  return {
    json: { merchant_id: merchantId, type, event_id: fresh.uuid(), created_at: fresh.iso, data },
  };
}

function payment(fresh: Fresh): SampleContent {
  const id = fresh.text(33);
  return event(fresh, "payment.updated", {
    type: "payment",
    id,
    object: {
      payment: {
        id,
        status: "COMPLETED",
        source_type: "CARD",
        amount_money: money(4200),
        total_money: money(4200),
        approved_money: money(4200),
        card_details: {
          status: "CAPTURED",
          entry_method: "KEYED",
          card: {
            card_brand: "VISA",
            card_type: "CREDIT",
            last_4: "1111",
            exp_month: 11,
            exp_year: 2031,
            bin: "411111",
            fingerprint: `sq-1-${fresh.text(60)}`,
          },
          cvv_status: "CVV_ACCEPTED",
          avs_status: "AVS_ACCEPTED",
        },
        customer_id: fresh.text(26).toUpperCase(),
        location_id: locationId,
        order_id: fresh.text(33),
        receipt_number: id.slice(0, 4),
        receipt_url: `https://squareup.com/receipt/preview/${id}`,
        delay_action: "CANCEL",
        delay_duration: "PT168H",
        created_at: fresh.iso,
        updated_at: fresh.iso,
        version: 2,
      },
    },
  });
}

function order(fresh: Fresh): SampleContent {
  const id = fresh.text(33);
  return event(fresh, "order.created", {
    type: "order_created",
    id,
    object: {
      order_created: {
        created_at: fresh.iso,
        location_id: locationId,
        order_id: id,
        state: "OPEN",
        version: 1,
      },
    },
  });
}
