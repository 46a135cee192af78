import { eventsAt } from "./shapes/events-at.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Auth0 doesn't sign. The header's whole value is compared. */
export const auth0: Provider = {
  id: "auth0",
  name: "Auth0 (log streams)",
  scheme: { kind: "token", source: { from: "header", name: "authorization" } },
  eventId: [inBody("log_id"), byContent],
  identity: {
    why: "Each log event has a log_id of its own, which stays the same when a batch is sent again.",
    source: "https://auth0.com/docs/customize/log-streams/custom-log-streams",
  },
  eventType: [inBody("data.type"), inBody("0.data.type")],
  batch: eventsAt("", { eventId: [["log_id"]], eventType: [["data.type"]] }),
  secretHelp:
    "The Authorization Token of the log stream, exactly as typed, with Bearer if you typed it.",
  isSecretChosen: true,
  whereToPaste:
    "Monitoring → Streams → Create Log Stream → Custom Webhook: paste the catch URL " +
    "as Payload URL, choose JSON Array, and fill in Authorization Token.",
  docsUrl: "https://auth0.com/docs/customize/log-streams/custom-log-streams",
  proof: { describedBy: "provider" },
  marks: {
    body: ["0.log_id", "log_id"].map((path) => ({
      path,
      is: /^900\d{17,}$/,
      why: "its events have a log_id as Auth0's have",
      isSure: true,
    })),
  },
};
