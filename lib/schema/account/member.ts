/** Members of an account and invitations to it. */
import { z } from "zod";
import { displayName, pageFields, recordId } from "#lib/schema/field/common.ts";
import { roles } from "./role.ts";
import { emailSchema, newPasswordSchema } from "./sign-in.ts";

/** The most members and open invitations of an account together. */
export const maxPeople = 1_000;
export const invitationDays = 7;

const role = z.enum(roles, { error: `must be one of ${roles.join(", ")}` });

export const memberChangeSchema = z.strictObject({ id: recordId, role });
export const invitationSchema = z.strictObject({ email: emailSchema, role });
export const peopleQuerySchema = z.strictObject(pageFields);

/** A person who accepts an invitation and has no password yet. */
export const newPersonSchema = z.strictObject({ name: displayName, password: newPasswordSchema });
