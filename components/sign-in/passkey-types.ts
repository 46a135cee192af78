import type { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** The server's request to the browser. */
export type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
export type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
