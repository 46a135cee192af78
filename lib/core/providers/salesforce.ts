import type { BatchRule } from "#lib/core/verify/batch/batch-rule.ts";
import { contentExcept, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl =
  "https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_om_outboundmessaging_notifications.htm";

/** A SOAP message with up to 100 notifications. */
const message = "soapenv:Envelope.soapenv:Body.notifications";

const batch: BatchRule = {
  list: { from: "body", path: `${message}.Notification` },
  isListOrOne: true,
  keepsEnvelope: false,
  eventId: [["Id"]],
  otherwise: "content",
  eventType: [['sObject["@xsi:type"]']],
};

/** Salesforce signs nothing, and sends a message again until the response acknowledges it. */
export const salesforce: Provider = {
  id: "salesforce",
  name: "Salesforce (outbound messages)",
  scheme: { kind: "token", source: { from: "query", name: "token" } },
  eventId: [inBody(`${message}.Notification.Id`), contentExcept(`${message}.SessionId`)],
  identity: {
    why:
      "Each notification has an Id, which stays the same when Salesforce sends it again, alone or with others. " +
      "The session is another one each time.",
    source: docsUrl,
  },
  eventType: [inBody(`${message}.Notification.sObject["@xsi:type"]`)],
  batch,
  secretHelp: "The value that you put behind ?token= in the endpoint URL of the outbound message.",
  isSecretChosen: true,
  whereToPaste:
    "Setup → Outbound Messages → New Outbound Message: as Endpoint URL, paste the catch URL " +
    "followed by ?token= and a long random value. Leave Send Session ID off.",
  docsUrl,
  proof: { describedBy: "provider" },
  response: {
    contentType: "text/xml; charset=utf-8",
    body:
      '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
      '<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack>' +
      "</notificationsResponse></soapenv:Body></soapenv:Envelope>",
  },
  marks: {
    body: [
      {
        path: `${message}.ActionId`,
        is: /^04k[0-9A-Za-z]{12}(?:[0-9A-Za-z]{3})?$/,
        why: "its body is an outbound message of Salesforce",
        isSure: true,
      },
    ],
  },
};
