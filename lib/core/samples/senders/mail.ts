/** Senders of e-mail: what became of a message. */
import type { Fresh } from "../fresh.ts";
import type { SampleContent, SampleEvents } from "../sample-event.ts";

const recipient = "jenny.rosen@example.com";

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const sendgrid: SampleEvents = [
  {
    type: "delivered",
    make: (fresh) => ({ json: [sendgridEvent(fresh, "delivered"), sendgridEvent(fresh, "open")] }),
  },
  { type: "click", make: (fresh) => ({ json: [sendgridEvent(fresh, "click")] }) },
  { type: "bounce", make: (fresh) => ({ json: [sendgridEvent(fresh, "bounce")] }) },
];

function sendgridEvent(fresh: Fresh, event: string): object {
  const details: Record<string, object> = {
    delivered: { response: "250 OK" },
    open: { useragent: "Mozilla/5.0", ip: "192.0.2.10", sg_machine_open: false },
    click: {
      useragent: "Mozilla/5.0",
      ip: "192.0.2.10",
      url: "https://shop.example.com/orders/1042",
      url_offset: { index: 0, type: "html" },
    },
    bounce: {
      reason: "550 5.1.1 No such user",
      status: "5.1.1",
      type: "bounce",
      bounce_classification: "Invalid Address",
    },
  };
  return {
    email: recipient,
    timestamp: fresh.seconds,
    "smtp-id": `<${fresh.text(22)}@example.com>`,
    event,
    category: ["receipt"],
    sg_event_id: fresh.text(22),
    sg_message_id: `${fresh.text(22)}.filterdrecv-${fresh.hex(10)}.0`,
    ...details[event],
  };
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads */
export const mailgun: SampleEvents = [
  { type: "delivered", make: (fresh) => mailgunEvent(fresh, "delivered") },
  { type: "failed", make: (fresh) => mailgunEvent(fresh, "failed") },
];

function mailgunEvent(fresh: Fresh, event: string): SampleContent {
  const isFailed = event === "failed";
  return {
    json: {
      signature: { token: fresh.hex(50), timestamp: String(fresh.seconds) },
      "event-data": {
        id: fresh.text(22),
        timestamp: fresh.nowMs / 1000,
        event,
        "log-level": isFailed ? "error" : "info",
        ...(isFailed ? { severity: "permanent", reason: "suppress-bounce" } : {}),
        "delivery-status": isFailed
          ? {
              code: 605,
              message: "",
              description: "Not delivering to previously bounced address",
              "attempt-no": 1,
            }
          : {
              code: 250,
              message: "OK",
              tls: true,
              "mx-host": "mail.example.com",
              "session-seconds": 0.43,
              "attempt-no": 1,
            },
        envelope: {
          transport: "smtp",
          sender: "shop@example.com",
          targets: recipient,
          "sending-ip": "192.0.2.20",
        },
        flags: {
          "is-routed": false,
          "is-authenticated": true,
          "is-system-test": false,
          "is-test-mode": false,
        },
        message: {
          headers: {
            to: `Jenny Rosen <${recipient}>`,
            from: "Shop <shop@example.com>",
            subject: "Your order 1042",
            "message-id": `${fresh.text(20)}@example.com`,
          },
          attachments: [],
          size: 5_121,
        },
        recipient,
        "recipient-domain": "example.com",
        campaigns: [],
        tags: ["receipt"],
        "user-variables": { order_id: "1042" },
      },
    },
  };
}

/** https://resend.com/docs/dashboard/webhooks/event-types */
export const resend: SampleEvents = [
  { type: "email.delivered", make: (fresh) => resendEvent(fresh, "email.delivered") },
  { type: "email.bounced", make: (fresh) => resendEvent(fresh, "email.bounced") },
];

function resendEvent(fresh: Fresh, type: string): SampleContent {
  const bounce = {
    message: "The recipient's mailbox does not exist.",
    subType: "General",
    type: "Permanent",
  };
  return {
    json: {
      type,
      created_at: fresh.iso,
      data: {
        broadcast_id: null,
        created_at: fresh.iso,
        email_id: fresh.uuid(),
        from: "Shop <shop@example.com>",
        to: [recipient],
        subject: "Your order 1042",
        tags: { category: "receipt" },
        ...(type === "email.bounced" ? { bounce } : {}),
      },
    },
  };
}

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export const postmark: SampleEvents = [
  {
    type: "Delivery",
    make: (fresh) => ({
      json: {
        ...postmarkMessage(fresh, "Delivery"),
        Recipient: recipient,
        DeliveredAt: fresh.iso,
        Details: "250 OK",
      },
    }),
  },
  {
    type: "Bounce",
    make: (fresh) => ({
      json: {
        ...postmarkMessage(fresh, "Bounce"),
        ID: fresh.digits(9),
        Type: "HardBounce",
        TypeCode: 1,
        Name: "Hard bounce",
        Description: "The server was unable to deliver your message.",
        Details: "550 5.1.1 No such user",
        Email: recipient,
        From: "shop@example.com",
        BouncedAt: fresh.iso,
        Inactive: true,
        CanActivate: true,
        Subject: "Your order 1042",
      },
    }),
  },
];

function postmarkMessage(fresh: Fresh, recordType: string): object {
  return {
    RecordType: recordType,
    ServerID: 23,
    MessageStream: "outbound",
    MessageID: fresh.uuid(),
    Tag: "receipt",
    Metadata: { order_id: "1042" },
  };
}
