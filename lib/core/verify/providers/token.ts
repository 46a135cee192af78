/** For senders without signatures that can send credentials along. They prove the origin, not the content: use https. */
import type { EventTypeSource } from "#lib/schema/hook.ts";
import type { Provider } from "../provider.ts";

const bodyId: readonly EventTypeSource[] = [{ from: "body", path: "id" }];
const bodyType: readonly EventTypeSource[] = [{ from: "body", path: "type" }];

export const basicAuth: Provider = {
  id: "basic-auth",
  name: "Basic authentication",
  scheme: { kind: "basic" },
  eventId: bodyId,
  eventType: bodyType,
  secretHelp: "User name and password with a colon between them: user:password.",
  whereToPaste:
    "Give the sender the catch URL and the same user name and password. Some senders take them as https://user:password@… in the URL.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc7617",
};

export const bearer: Provider = {
  id: "bearer",
  name: "Bearer token",
  scheme: { kind: "bearer" },
  eventId: bodyId,
  eventType: bodyType,
  secretHelp: "The token alone, without the word Bearer.",
  whereToPaste: "Give the sender the catch URL and let it send the header Authorization: Bearer <token>.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc6750",
};
