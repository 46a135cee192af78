import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks } from "./shapes/standard-webhooks.ts";

export const dodoPayments: Provider = {
  id: "dodo-payments",
  name: "Dodo Payments",
  ...byStandardWebhooks,
  whereToPaste:
    "Dashboard → Developer → Webhooks → Add endpoint: paste the catch URL and copy the secret key.",
  docsUrl: "https://docs.dodopayments.com/developer-resources/webhooks",
  proof: { package: "dodopayments", describedBy: "provider" },
};
