import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A real identity provider (the oidc-provider package) with one person, whose groups a test changes. */
export async function startIdentityProvider(redirectUri: string) {
  const person = {
    email: "grace@example.com",
    email_verified: true,
    name: "Grace Hopper",
    groups: [] as string[],
  };
  const clientId = "catchment";
  const clientSecret = "a secret of the client that is long";
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...person }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ["a key of the test"] },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    person,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
