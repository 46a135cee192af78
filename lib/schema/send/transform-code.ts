import { z } from "zod";

/** JavaScript that exports a function of an event. It is loaded when it is saved. */
export const transformCode = z
  .string({ error: "must be JavaScript" })
  .min(1, "must not be empty")
  .max(65_536, "must have at most 65536 characters");
