/** Stored on `globalThis`, because Next bundles this module once per kind of route. */
const shared = globalThis as typeof globalThis & { catchmentStopping?: AbortController };

/** Aborted once this process has to stop, so that what would last for hours ends now. */
export function processStop(): AbortController {
  shared.catchmentStopping ??= new AbortController();
  return shared.catchmentStopping;
}
