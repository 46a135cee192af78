import { z } from "zod";
import { credentialSettingsSchema } from "#lib/schema/act/credential.ts";
import type { CredentialRecord } from "#lib/services/credentials.ts";
import { view } from "#lib/web/route/view.ts";

const credentialSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    origin: z.string(),
    auth: credentialSettingsSchema,
    usedBy: z.object({ actions: z.int(), destinations: z.int() }).describe("How many"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Credential" });

/** A credential in the API's responses, with only a hint of its secret. */
export const credentialView = view(credentialSchema, (credential: CredentialRecord) => {
  const { id, name, origin, settings, actionCount, destinationCount } = credential;
  const { createdAt, updatedAt } = credential;
  const usedBy = { actions: actionCount, destinations: destinationCount };
  return { id, name, origin, auth: settings, usedBy, createdAt, updatedAt };
});
