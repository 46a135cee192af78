import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const jenny = { first_name: "Jenny", last_name: "Rosen", email: "jenny.rosen@example.com" };

/** https://clerk.com/docs/guides/development/webhooks/overview */
export const clerkSamples: SampleEvents = [
  { type: "user.created", make: (fresh) => clerkEvent(fresh, "user.created", clerkUser(fresh)) },
  {
    type: "user.deleted",
    make: (fresh) =>
      clerkEvent(fresh, "user.deleted", {
        deleted: true,
        id: `user_${fresh.text(27)}`,
        object: "user",
      }),
  },
  {
    type: "session.created",
    make: (fresh) =>
      clerkEvent(fresh, "session.created", {
        id: `sess_${fresh.text(27)}`,
        object: "session",
        client_id: `client_${fresh.text(27)}`,
        user_id: `user_${fresh.text(27)}`,
        status: "active",
        created_at: fresh.nowMs,
        updated_at: fresh.nowMs,
        last_active_at: fresh.nowMs,
        expire_at: fresh.nowMs + 604_800_000,
        abandon_at: fresh.nowMs + 2_592_000_000,
      }),
  },
];

function clerkEvent(fresh: Fresh, type: string, data: object): SampleContent {
  const from = { http_request: { client_ip: "192.0.2.10", user_agent: "Mozilla/5.0" } };
  return {
    json: {
      data,
      event_attributes: from,
      instance_id: "ins_example",
      object: "event",
      timestamp: fresh.nowMs,
      type,
    },
  };
}

function clerkUser(fresh: Fresh): object {
  const emailId = `idn_${fresh.text(27)}`;
  return {
    id: `user_${fresh.text(27)}`,
    object: "user",
    first_name: jenny.first_name,
    last_name: jenny.last_name,
    username: null,
    has_image: false,
    image_url: "https://img.clerk.com/example",
    primary_email_address_id: emailId,
    primary_phone_number_id: null,
    email_addresses: [
      {
        id: emailId,
        object: "email_address",
        email_address: jenny.email,
        linked_to: [],
        verification: { status: "verified", strategy: "ticket", attempts: null, expire_at: null },
      },
    ],
    phone_numbers: [],
    external_accounts: [],
    external_id: null,
    password_enabled: true,
    two_factor_enabled: false,
    banned: false,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: null,
    created_at: fresh.nowMs,
    updated_at: fresh.nowMs,
  };
}
