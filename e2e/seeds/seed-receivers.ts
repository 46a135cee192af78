import type { Dashboard } from "../harness/dashboard.ts";

export type SeededReceivers = Readonly<Record<"destinationId" | "credentialId", string>>;

/** Seeds destinations and credentials, some of them used. */
export async function seedReceivers({ api, receiver, makeHook }: Dashboard) {
  const { origin } = new URL(receiver.url("/"));
  const add = async (path: string, body: object) => String((await api("POST", path, body)).id);
  const credentialId = await add("/credentials", {
    name: "CRM client",
    origin,
    auth: {
      type: "oauth2",
      tokenUrl: receiver.url("/oauth/token"),
      clientId: "shop-42",
      clientSecret: "a long client secret",
      scope: "contacts:write orders:read",
    },
  });
  await add("/credentials", {
    name: "Ledger signature",
    origin: "https://ledger.example.com",
    auth: { type: "hmac", secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}` },
  });
  const destinationId = await add("/destinations", {
    name: "CRM",
    origin,
    credentialId,
    maxConcurrency: 4,
    rateLimit: { count: 20, perSeconds: 1 },
    breaker: { failures: 10, windowSeconds: 60, openSeconds: 300 },
  });
  await add("/destinations", { name: "Ledger", origin: "https://ledger.example.com" });
  const { id: hookId } = await makeHook({ name: "Contacts of the fair" });
  const request = { method: "POST", url: receiver.url("/crm/contacts"), body: "{{ payload }}" };
  await add(`/hooks/${hookId}/actions`, {
    name: "Add the contact to the CRM",
    request: { ...request, destinationId },
  });
  return { destinationId, credentialId } satisfies SeededReceivers;
}
