import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { challenge } from "./shapes/handshakes.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Proves the caller, but not the body. */
export const monday: Provider = {
  id: "monday",
  name: "monday.com",
  scheme: jwtScheme("JSON Web Token, HS256, in the header authorization", true, {
    header: "authorization",
    algorithms: ["HS256"],
    times: { required: ["exp"], leewaySeconds: 60 },
  }),
  eventId: [inBody("event.triggerUuid"), byContent],
  identity: {
    why: "Each event has its own triggerUuid; without it the body holds the time of the trigger.",
    source: null,
  },
  eventType: [inBody("event.type")],
  secretHelp:
    "The app's Signing Secret. Webhooks without an app are not signed: use a bearer token in the URL's place.",
  whereToPaste:
    "Developer Center → your app → Features or Webhooks: paste the " +
    "catch URL; Basic Information shows the Signing Secret.",
  docsUrl: "https://developer.monday.com/apps/docs/integration-authorization",
  proof: { describedBy: "others" },
  /** Without the `type` that Slack has. Boards don't sign. */
  handshakes: [
    {
      name: "challenge",
      methods: ["POST"],
      when: [
        inBody("challenge"),
        { ...inBody("type"), isAbsent: true },
        { ...inBody("event"), isAbsent: true },
      ],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inBody("challenge"),
        body: { type: "json", fields: { challenge: [challenge] } },
      },
    },
  ],
  marks: { body: [{ path: "event.boardId", is: /./, why: "its event has a boardId" }] },
};
