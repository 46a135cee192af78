import type { Provider } from "./shapes/provider.ts";
import { unknownIdentity } from "./shapes/unknown-identity.ts";

export const bearer: Provider = {
  id: "bearer",
  name: "Bearer token",
  scheme: { kind: "bearer" },
  ...unknownIdentity,
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Enter the catch URL at the provider, and configure the header Authorization: Bearer <token>.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc6750",
  proof: { describedBy: "provider" },
  listing: { group: "scheme", place: 4 },
};
