import { listProviders as listCatalog } from "#lib/core/providers/catalog/catalog.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** All providers at once. The list is fixed per version. */
export const listProviders = service({
  permission: "hooks:read",
  input: noFields,
  run: async () => listCatalog(),
});
