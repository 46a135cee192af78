import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.payfast.co.za/docs#step_4_confirm_payment */
export const payfastSamples: SampleEvents = [
  { type: "COMPLETE", make: (fresh) => payment(fresh.digits(7), "COMPLETE") },
  { type: "CANCELLED", make: (fresh) => payment(fresh.digits(7), "CANCELLED") },
];

function payment(id: number, status: string): SampleContent {
  return {
    form: {
      m_payment_id: "1042",
      pf_payment_id: String(id),
      payment_status: status,
      item_name: "Order #1042",
      item_description: "",
      amount_gross: "42.00",
      amount_fee: "-0.97",
      amount_net: "41.03",
      name_first: "Ada",
      name_last: "Example",
      email_address: "ada@example.com",
      merchant_id: "10000100",
    },
  };
}
