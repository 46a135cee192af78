import type { Provider } from "./shapes/provider.ts";
import { unknownIdentity } from "./shapes/unknown-identity.ts";

export const basicAuth: Provider = {
  id: "basic-auth",
  name: "Basic authentication",
  scheme: { kind: "basic" },
  ...unknownIdentity,
  secretHelp: "User name and password with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Enter the catch URL and the same username and password at the provider. Some " +
    "providers expect them in the URL, as https://user:password@host.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc7617",
  proof: { describedBy: "provider" },
  listing: { group: "scheme", place: 3 },
};
