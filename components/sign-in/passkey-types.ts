import type { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** What the server asks the browser for. */
export type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
export type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
