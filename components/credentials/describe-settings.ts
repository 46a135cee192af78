import type { CredentialSettings } from "#lib/schema/act/credential.ts";

/** The public part of a credential, in a few words. */
export function describeSettings(settings: CredentialSettings): readonly string[] {
  switch (settings.type) {
    case "bearer":
    case "basic":
    case "hmac":
      return [`ends in ${settings.hint}`];
    case "header":
    case "query":
      return [settings.name, `ends in ${settings.hint}`];
    case "oauth2":
      return [
        `client ${settings.clientId}`,
        settings.tokenUrl,
        ...(settings.scope === null ? [] : [`scope ${settings.scope}`]),
      ];
    case "certificate":
      return [settings.subject, `until ${settings.expiresAt.slice(0, 10)}`];
    default:
      return settings satisfies never;
  }
}
