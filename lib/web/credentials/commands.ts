"use server";

import { createCredential, deleteCredential, updateCredential } from "#lib/services/credentials.ts";
import { change, form } from "#lib/web/auth/run-service.ts";

export const createCredentialCommand = change(createCredential, [form], ({ id }) => ({ id }));
export const saveCredentialCommand = change(updateCredential, ["id", form], (_, { id }) => ({
  id,
}));
export const deleteCredentialCommand = change(deleteCredential, ["id"]);
