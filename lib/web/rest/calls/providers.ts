import { listProviders } from "#lib/core/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { sampleIndex } from "#lib/core/samples/sample-index.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import { findWindow } from "#lib/core/verify/scheme/scheme.ts";
import { noQuery } from "#lib/schema/field/common.ts";
import { endpoint } from "../api-route.ts";

/** Not paginated: the list is fixed per version. */
export const getProviders = endpoint({
  scope: "hooks:read",
  query: noQuery,
  handle: async () => ({
    data: [...builtInWays, ...listProviders().map(showProvider)],
    nextCursor: null,
  }),
});

function showProvider(provider: Provider) {
  const { id, name, scheme, secretHelp, whereToPaste, docsUrl } = provider;
  const settings = scheme.kind === "code" ? (scheme.settings ?? []) : [];
  return {
    id,
    name,
    /** What to paste as the secret; null if the provider publishes its keys. */
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

type ShownProvider = Omit<ReturnType<typeof showProvider>, "docsUrl"> & {
  readonly docsUrl: string | null;
};

const builtInWays: readonly ShownProvider[] = [
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
