import { oncePerProcess } from "./once.ts";

/** Aborted once this process has to stop, so that what would last for hours ends now. */
export const processStop = oncePerProcess("catchmentStopping", () => new AbortController());
