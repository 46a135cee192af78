import type { CredentialSettings } from "#lib/schema/act/credential.ts";

/** The public part of a credential, in a few words. */
export function describeSettings(settings: CredentialSettings): readonly string[] {
  switch (settings.type) {
    case "bearer":
    case "basic":
    case "hmac":
      return [describeHint(settings.hint)];
    case "header":
    case "query":
      return [settings.name, describeHint(settings.hint)];
    case "oauth2":
      return [
        `client ${settings.clientId}`,
        settings.tokenUrl,
        ...(settings.scope === null ? [] : [`scope ${settings.scope}`]),
      ];
    case "certificate":
      return [settings.subject, `until ${settings.expiresAt.slice(0, 10)}`];
    case "aws":
      return [`${settings.service} in ${settings.region}`, `access key ${settings.accessKeyId}`];
    default:
      return settings satisfies never;
  }
}

/** The hint of a short secret says nothing of it. */
function describeHint(hint: string): string {
  return /^•+$/.test(hint) ? "saved" : `ends in ${hint}`;
}
