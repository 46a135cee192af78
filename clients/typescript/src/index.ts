export { createClient } from "./client.ts";
export { CatchmentError } from "./errors.ts";
export type * from "./operations.ts";
export type { CallOptions, ClientOptions } from "./options.ts";
export type { Page, PagePromise } from "./pages.ts";
export {
  type VerificationFailure,
  type VerifiedEvent,
  type VerifyWebhookInput,
  verifyWebhook,
  WebhookVerificationError,
} from "./verify-webhook.ts";
