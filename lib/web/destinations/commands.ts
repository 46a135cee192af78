"use server";

import {
  createDestination,
  deleteDestination,
  updateDestination,
} from "#lib/services/destinations.ts";
import { change, form } from "#lib/web/auth/run-service.ts";

export const createDestinationCommand = change(createDestination, [form], ({ id }) => ({ id }));
export const saveDestinationCommand = change(updateDestination, ["id", form], (_, { id }) => ({
  id,
}));
export const deleteDestinationCommand = change(deleteDestination, ["id"]);
