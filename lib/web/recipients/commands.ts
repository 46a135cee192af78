"use server";

import {
  createPortalLink,
  deleteRecipient,
  putRecipient,
  revokePortalLink,
} from "#lib/services/recipients.ts";
import { change, form } from "#lib/web/auth/run-service.ts";

export const saveRecipientCommand = change(putRecipient, [form]);
export const deleteRecipientCommand = change(deleteRecipient, ["id"]);
/** Creates a portal link. Its URL isn't shown again. */
export const createPortalLinkCommand = change(createPortalLink, ["id", "..."], ({ url }) => ({
  url,
}));
export const revokePortalLinkCommand = change(revokePortalLink, ["id", "linkId"]);
