import { z } from "zod";
import { defineGroup, oneOf, setting, wholeNumber } from "./setting.ts";

export const internalSettings = defineGroup({
  about: "Set by `npm start` for the processes that it starts. Don't set these yourself.",
  settings: {
    webSocket: setting(
      "CATCHMENT_WEB_SOCKET",
      z.string().optional(),
      "the Unix socket between the catch listener, which owns the port, and the web process",
    ),
    handOffSocket: setting(
      "CATCHMENT_HAND_OFF_SOCKET",
      z.string().optional(),
      "the Unix socket on which the worker takes runs from the catch processes",
    ),
    databaseFolder: setting(
      "CATCHMENT_DATABASE_FOLDER",
      z.string().optional(),
      "the data folder of the embedded PostgreSQL",
    ),
    pendingDashboard: setting(
      "CATCHMENT_PENDING_DASHBOARD",
      z.string().optional(),
      "the file that exists until the dashboard is built",
    ),
    healthPort: setting(
      "CATCHMENT_HEALTH_PORT",
      wholeNumber(1, 65_535).optional(),
      "the health port of a worker that runs without the other roles",
    ),
    log: setting(
      "CATCHMENT_LOG",
      oneOf(["json", "pretty"]).default("json"),
      "how log lines are written: `json`, or `pretty` for people",
    ),
  },
});
