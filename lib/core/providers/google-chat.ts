import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://developers.google.com/workspace/chat/verify-requests-from-chat";

const chat = "chat@system.gserviceaccount.com";
const google = ["https://accounts.google.com", "accounts.google.com"];

/** The name that Chat API → Configuration shows as Service account email. */
function addOnAccount(projectNumber: string): string {
  return `service-${projectNumber}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`;
}

/**
 * All apps get tokens of the same issuer, so the audience decides. With a project number as the
 * audience, Chat signs with its own keys, otherwise Google signs as for every service account. The
 * token doesn't cover the body. Compared with `verifyChatAppRequest` of
 * https://github.com/googleworkspace/google-chat-samples and `verifyAddOnRequest` of
 * https://github.com/googleworkspace/add-ons-samples on 2026-11-28.
 */
export const googleChat: Provider = {
  id: "google-chat",
  name: "Google Chat",
  scheme: jwtScheme(
    "JSON Web Token of Google Chat, RS256 with Google's own keys, as bearer token",
    false,
    {
      header: "authorization",
      isBearer: true,
      algorithms: ["RS256"],
      times: { required: ["exp", "iat"], leewaySeconds: 60 },
      issuer: [...google, chat],
      settings: [
        {
          name: "projectNumber",
          label: "Project number",
          help: "The number of the Google Cloud project, where it is chosen as Authentication Audience.",
          example: "1234567890",
          pattern: /^\d{6,20}$/,
          fallback: "the audience is the catch URL",
        },
        {
          name: "addOnProjectNumber",
          label: "Project number of the add-on",
          help:
            "The number of the Google Cloud project, if the app is a Google Workspace add-on: its requests " +
            "come from the project's own service account, with the catch URL as audience.",
          example: "1234567890",
          pattern: /^\d{6,20}$/,
          fallback: "the app is a Chat app",
        },
      ],
      source: ({ keyId }, { settings }) => ({
        format: "jwks",
        url:
          settings.projectNumber === undefined
            ? "https://www.googleapis.com/oauth2/v3/certs"
            : `https://www.googleapis.com/service_accounts/v1/jwk/${chat}`,
        keyId: keyId ?? "",
      }),
      checkClaims: (claims, { url }, { settings: { projectNumber, addOnProjectNumber } }) => {
        if (claims.aud !== (projectNumber ?? url)) return claimProblem(claims, "aud");
        if (projectNumber !== undefined)
          return claims.iss === chat ? null : claimProblem(claims, "iss");
        if (!google.some((issuer) => issuer === claims.iss)) return claimProblem(claims, "iss");
        const sender = addOnProjectNumber === undefined ? chat : addOnAccount(addOnProjectNumber);
        if (claims.email !== sender) return claimProblem(claims, "email");
        return claims.email_verified === true ? null : claimProblem(claims, "email_verified");
      },
      sampleClaims: ({ url, settings: { projectNumber, addOnProjectNumber } }) => {
        if (projectNumber !== undefined) return { iss: chat, aud: projectNumber };
        const email = addOnProjectNumber === undefined ? chat : addOnAccount(addOnProjectNumber);
        return { aud: url, email, email_verified: true };
      },
    },
  ),
  eventId: [byContent],
  identity: {
    why: "An interaction has no id, but its eventTime in microseconds, so no two are equal.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "None: Google publishes its keys. Only a project number may have to be filled in.",
  whereToPaste:
    "Google Cloud console → Google Chat API → Configuration → Connection " +
    "settings: choose HTTP endpoint URL, paste the catch URL, and choose it " +
    "or the project number as Authentication Audience.",
  docsUrl,
  proof: { describedBy: "provider" },
  response: { contentType: "application/json", body: "{}" },
  marks: { userAgent: /^Google-Dynamite/ },
};
