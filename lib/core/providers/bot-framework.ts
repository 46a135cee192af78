import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import { parseJsonObject, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl =
  "https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-authentication";

type Cloud = { readonly issuer: string; readonly keys: string };

const commercial: Cloud = {
  issuer: "https://api.botframework.com",
  keys: "https://login.botframework.com/v1/.well-known/keys",
};
const government: Cloud = {
  issuer: "https://api.botframework.us",
  keys: "https://login.botframework.azure.us/v1/.well-known/keys",
};

function cloudOf({ cloud }: Settings): Cloud {
  return cloud === undefined ? commercial : government;
}

/**
 * Microsoft signs such tokens for all bots, so the audience decides. The token covers of the body
 * only serviceUrl, and its key is endorsed for channels. The document with the keys is the one that
 * the OpenID metadata names. Compared with `GovernmentChannelValidation` of npm
 * `botframework-connector` 4.23 and `buildJwksUri` of https://github.com/microsoft/Agents-for-js on
 * 2026-11-28.
 */
export const botFramework: Provider = {
  id: "bot-framework",
  name: "Bot Framework (Azure Bot Service)",
  scheme: jwtScheme(
    "JSON Web Token of the Bot Connector, RS256 with Microsoft's own keys, as bearer token",
    false,
    {
      header: "authorization",
      isBearer: true,
      algorithms: ["RS256"],
      times: { required: ["exp"], leewaySeconds: 300 },
      issuer: [commercial.issuer, government.issuer],
      settings: [
        {
          name: "appId",
          label: "App ID",
          help: "The Microsoft App ID of the bot: Azure portal → Azure Bot → Configuration.",
          example: "6a1d9c1e-5b0f-4c6a-9d59-0d8f6c9f3f10",
          pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        },
        {
          name: "cloud",
          label: "Cloud",
          help: "government, if the bot is in Azure Government. Otherwise leave it empty.",
          example: "government",
          pattern: /^government$/,
          fallback: "the public cloud",
        },
      ],
      source: ({ keyId }, { settings }, _secret, request) => ({
        format: "jwks",
        url: cloudOf(settings).keys,
        keyId: keyId ?? "",
        endorsement: readText(request, "channelId"),
      }),
      checkClaims: (claims, request, { settings }) => {
        if (claims.iss !== cloudOf(settings).issuer) return claimProblem(claims, "iss");
        if (claims.aud !== settings.appId) return claimProblem(claims, "aud");
        const isSame = claims.serviceurl === readText(request, "serviceUrl");
        return isSame ? null : claimProblem(claims, "serviceurl");
      },
      sampleClaims: ({ settings, body }) => ({
        iss: cloudOf(settings).issuer,
        aud: settings.appId,
        serviceurl: readText({ body }, "serviceUrl"),
      }),
    },
  ),
  eventId: [
    allOf(
      inBody("channelId"),
      inBody("conversation.id"),
      inBody("id"),
      inBody("type"),
      inBody("timestamp"),
    ),
    { ...byContent, withinSeconds: 60 },
  ],
  identity: {
    why:
      "id is that of the message, which is edited and deleted under the same id, so type " +
      "and time count. Activities without an id are one event for a minute.",
    source:
      "https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference",
  },
  eventType: [inBody("type")],
  secretHelp: "None: Microsoft publishes its keys. Fill in the bot's App ID instead.",
  whereToPaste:
    "Azure portal → Azure Bot → Configuration: paste the catch URL as " +
    "Messaging endpoint, and copy the Microsoft App ID.",
  docsUrl,
  proof: { describedBy: "provider" },
  marks: {
    userAgent: /^Microsoft-BotFramework\//,
    body: [
      {
        path: "serviceUrl",
        is: /^https:\/\/[a-z.-]+\.(?:trafficmanager\.net|botframework\.com)\//,
        why: "its serviceUrl is one of the Bot Framework",
      },
    ],
  },
};

function readText({ body }: Pick<VerifyRequest, "body">, name: string): string {
  const value = parseJsonObject(body)?.[name];
  return typeof value === "string" ? value : "";
}
