import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const account = "AC00000000000000000000000000example";

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export const twilioSamples: SampleEvents = [
  {
    type: "message.received",
    make: (fresh) => {
      const sid = `SM${fresh.hex(32)}`;
      return twilioForm(fresh, {
        MessageSid: sid,
        SmsSid: sid,
        SmsMessageSid: sid,
        SmsStatus: "received",
        NumMedia: "0",
        NumSegments: "1",
        Body: "Is my order on its way?",
        FromCountry: "US",
        FromState: "OR",
        FromCity: "PORTLAND",
        FromZip: "97205",
        ToCountry: "US",
      });
    },
  },
  {
    type: "message.delivered",
    make: (fresh) => {
      const sid = `SM${fresh.hex(32)}`;
      return twilioForm(fresh, {
        MessageSid: sid,
        SmsSid: sid,
        SmsStatus: "delivered",
        MessageStatus: "delivered",
      });
    },
  },
];

function twilioForm(fresh: Fresh, fields: Record<string, string>): SampleContent {
  const common = {
    AccountSid: account,
    ApiVersion: "2010-04-01",
    From: "+15035550100",
    To: "+15035550199",
  };
  return {
    headers: { "i-twilio-idempotency-token": fresh.uuid() },
    form: { ...common, ...fields },
  };
}
