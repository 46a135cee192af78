import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://supabase.com/docs/guides/auth/auth-hooks/send-email-hook */
export const supabaseAuthSamples: SampleEvents = [{ type: "send-email", make: sendEmail }];

function sendEmail(fresh: Fresh): SampleContent {
  return {
    headers: { "webhook-id": fresh.uuid() },
    json: {
      metadata: {
        uuid: fresh.uuid(),
        time: fresh.iso,
        name: "send-email",
        ip_address: "203.0.113.7",
      },
      user: {
        id: "8484b834-f29e-4af2-bf42-80644d154f76",
        aud: "authenticated",
        role: "authenticated",
        email: "jenny.rosen@example.com",
      },
      email_data: {
        token: "305805",
        token_hash: "7d5b7b1964cf5d388340a7f04f1dbb5eeb6c7b52ef8270e1737a58d0",
        redirect_to: "https://shop.example.com/",
        email_action_type: "signup",
        site_url: "https://shop.example.com",
      },
    },
  };
}
