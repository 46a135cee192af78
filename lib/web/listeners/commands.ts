"use server";

import { deleteListener, disconnect } from "#lib/services/listeners/change-listener.ts";
import { change } from "#lib/web/auth/run-service.ts";

export const disconnectListenerCommand = change(disconnect, ["id", "connectionId"]);
export const deleteListenerCommand = change(deleteListener, ["id"]);
