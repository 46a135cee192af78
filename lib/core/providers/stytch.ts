import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { bySvix } from "./shapes/standard-webhooks.ts";

export const stytch: Provider = {
  id: "stytch",
  name: "Stytch",
  ...bySvix,
  eventType: [inBody("object_type")],
  whereToPaste:
    "Stytch Dashboard → Webhooks → Create: paste the catch URL, choose events, and copy the Signing Secret.",
  docsUrl: "https://stytch.com/docs/workspace-management/webhooks",
  proof: { package: "svix", describedBy: "provider" },
  secretStartsWith: "whsec_",
  marks: {
    body: [
      {
        path: "project_id",
        is: /^project-(?:live|test)-/,
        why: "its project_id is one of Stytch's",
        isSure: true,
      },
    ],
  },
};
