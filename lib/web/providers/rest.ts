import { z } from "zod";
import { sampleIndex } from "#lib/core/providers/samples/sample-index.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import { findWindow } from "#lib/core/verify/scheme/scheme.ts";
import { listProviders } from "#lib/services/providers.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { view } from "#lib/web/route/view.ts";

const settingSchema = z.object({
  name: z.string(),
  help: z.string(),
  example: z.string(),
  isRequired: z.boolean(),
});

const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    secret: z.string().nullable().describe("What to paste as the secret. Null: nothing"),
    where: z.string().describe("Where to paste the catch URL and find the secret"),
    settings: z.array(settingSchema).describe("Those of `verification.settings`"),
    toleranceSeconds: z.int().nullable().describe("How old a signed time may be"),
    eventTypes: z.array(z.string()).describe("What `POST /hooks/{id}/test` can send"),
    docsUrl: z.string().nullable(),
  })
  .meta({ id: "Provider" });

/** All providers on one page, after the two ways that need none. */
const providersView = view(
  z.object({ data: z.array(providerSchema), nextCursor: z.null() }),
  (providers: readonly Provider[]) => ({
    data: [...builtInWays, ...providers.map(showProvider)],
    nextCursor: null,
  }),
);

function showProvider(provider: Provider) {
  const { id, name, scheme, secretHelp, whereToPaste, docsUrl } = provider;
  const settings = scheme.kind === "code" ? (scheme.settings ?? []) : [];
  return {
    id,
    name,
    secret: takesSecret(scheme) ? secretHelp : null,
    where: whereToPaste,
    settings: settings.map((setting) => ({
      name: setting.name,
      help: setting.help,
      example: setting.example,
      isRequired: setting.fallback === undefined,
    })),
    toleranceSeconds: findWindow(scheme)?.pastSeconds ?? null,
    eventTypes: (sampleIndex.get(id) ?? []).map(({ type }) => type),
    docsUrl,
  };
}

const builtInWays: readonly z.output<typeof providerSchema>[] = [
  {
    id: "generic",
    name: "Other (unsigned)",
    secret: null,
    where:
      "Paste the catch URL into the other system. Nothing is verified, so treat the URL as a secret.",
    settings: [],
    toleranceSeconds: null,
    eventTypes: [],
    docsUrl: null,
  },
  {
    id: "custom",
    name: "Custom signature",
    secret: "The signing secret, in the format set in the hook's verification.",
    where:
      "Paste the catch URL into the other system, and describe in verification how that system signs.",
    settings: [],
    toleranceSeconds: null,
    eventTypes: [],
    docsUrl: null,
  },
];

export const providerRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/providers",
    operationId: "listProviders",
    summary: "List all providers",
    description: "All at once, `generic` and `custom` first.",
    service: listProviders,
    view: providersView,
  }),
];
