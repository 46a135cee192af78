/* Written by `npm run generate` from the table of calls. Change that, and not this file. */

import type { PagePromise } from "./pages.ts";

import type { CallOptions } from "./options.ts";

/** The codes of problem documents, as in docs/errors.md */
export type ErrorCode =
  | "invalid_request"
  | "invalid_json"
  | "template_invalid"
  | "schema_mismatch"
  | "signature_invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "hook_not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "request_timeout"
  | "conflict"
  | "idempotency_conflict"
  | "hook_disabled"
  | "export_too_large"
  | "body_too_large"
  | "uri_too_long"
  | "unsupported_media_type"
  | "expectation_failed"
  | "misdirected_request"
  | "headers_too_large"
  | "rate_limited"
  | "internal"
  | "unavailable";

export type ChangedHook = Hook & {
  /** What looks wrong or is missing, and what to do */
  warnings: (string)[];
};

export type HookResponse = {
  /** The status of the response */
  status?: number | undefined;
  /** Only `content-type` */
  headers?: {
    [name: string]: string;
  } | undefined;
  /** The body of the response */
  body?: string | undefined;
};

export type HookPublish = {
  /**
   * The type of the events. Null: the delivery's own type in dotted lower-case words, or
   * `webhook.received`
   */
  eventType?: string | null | undefined;
  /**
   * The path of the recipient in the payload, such as `customer.id`. Null: events without a
   * recipient
   */
  recipientPath?: string | null | undefined;
  /**
   * The part that becomes the event's `data`. Null: `data` of `{id, type, data: {…}}`, or the
   * payload
   */
  content?: "payload" | "data" | null | undefined;
};

export type HookCors = {
  /** Origins such as `https://shop.example`, or `*` alone for all */
  origins: readonly (string)[];
};

export type HookSilence = {
  /** False: its silence isn't reported */
  enabled?: boolean | undefined;
  /** At least one delivery is expected in so many minutes. Null: as its learned rhythm says */
  expectEveryMinutes?: number | null | undefined;
};

export type SavedHookReply = {
  /** The action of this hook whose result is the reply */
  actionId: string;
  waitSeconds?: number | undefined;
  /** A status from 200 to 299 or 400 to 599, or a template that gives one */
  status?: string | number | undefined;
  /** Headers of the response by name. Values are templates */
  headers?: {
    [name: string]: string;
  } | undefined;
  /** A template of the response's body */
  body?: string | undefined;
  onFailure?:
    | {
        /** A status from 200 to 299 or 400 to 599, or a template that gives one */
        status?: string | number | undefined;
        /** Headers of the response by name. Values are templates */
        headers?: {
          [name: string]: string;
        } | undefined;
        /** A template of the response's body */
        body?: string | undefined;
      }
    | null | undefined;
};

export type Hook = {
  id: string;
  name: string;
  status: "active" | "paused" | "disabled" | "pending";
  /** The URL to paste into the provider */
  catchUrl: string;
  /** The last segment of `catchUrl`, if you chose it. Null: it is generated */
  path: string | null;
  /** Replaced URLs that still work */
  previousCatchUrls: ({
    catchUrl: string;
    expiresAt: string;
  })[];
  provider: string;
  verification: unknown;
  dedupe: unknown;
  eventType: unknown;
  methods: (string)[];
  response: HookResponse | null;
  splitBatches: boolean;
  toleranceSeconds: number | null;
  replayProtection: boolean;
  ratePerSecond: number | null;
  publish: HookPublish | null;
  cors: HookCors | null;
  silence: HookSilence;
  fieldSearch: boolean;
  /** Deliveries that arrived before this are indexed by their fields */
  fieldSearchUntil: string | null;
  retentionDays: number | null;
  retentionCount: number | null;
  reply: SavedHookReply | null;
  /** Set while it waits for its secret */
  pending: {
    since: string;
    until: string;
  } | null;
  /** What Meta and eBay need besides the URL */
  verifyToken: string | null;
  /** The last 4 characters of the newest secret */
  secretHint: string | null;
  /** Active secrets, newest first */
  secrets: ({
    id: string;
    /** The last 4 characters */
    hint: string;
    origin: "pasted" | "handshake";
    createdAt: string;
    expiresAt: string | null;
  })[];
  createdAt: string;
  updatedAt: string;
};

export type HookReply = SavedHookReply;

export type PendingVerification = {
  accepted: number;
  duplicate: number;
  rejected: number;
  /** Still pending, because no secret matches or a key can't be fetched */
  pending: number;
};

export type CountedDuplicates = {
  /** The hook's rule now */
  dedupe: unknown;
  /** Duplicates that are events now. Their actions run */
  accepted: number;
  /** Duplicates that differ and stay: an action has run on them, or they repeat another */
  kept: number;
};

export type HandshakeSecret = {
  secret: string;
};

export type TestDelivery = {
  /** Null: nothing was stored; the response says why */
  deliveryId: string | null;
  deliveryStatus: string | null;
  eventType: string;
  response: {
    status: number;
    body: string;
  };
  note: string | null;
  /** The same as a shell command; null: too large for one */
  curl: string | null;
  curlValidForSeconds: number | null;
};

export type Registration = {
  hookId: string;
  provider: string;
  status: "connecting" | "registered" | "missing" | "failing" | "removing";
  /** The state in a few words */
  summary: string;
  /** Why it isn't as it should be, in a sentence */
  reason: string | null;
  /** What it belongs to at the provider. Empty: the account */
  resource: string;
  /** Null: it was deleted since */
  credentialId: string | null;
  /** Those that it is to have */
  eventTypes: (string)[];
  /** Those that it had at the last look, as the provider writes them */
  registeredTypes: (string)[];
  /** Those that enabled actions of the hook name, and that it hasn't */
  missingTypes: (string)[];
  recreate: "ask" | "always";
  /** Its id at the provider. Null: not registered yet */
  providerId: string | null;
  /** The URL that the provider has */
  url: string | null;
  /** It was at the provider before */
  isAdopted: boolean;
  /** When the provider last said what it has */
  checkedAt: string | null;
  /** When it was last enabled again, after the provider had taken it away */
  revivedAt: string | null;
  /** When it would end if it weren't renewed at two thirds of its life. Null: never */
  expiresAt: string | null;
  createdBy: string;
  createdAt: string;
};

export type WholeGap = Gap & {
  /**
   * How many of the events that the provider was asked to send again came. Null: it is never
   * asked to
   */
  cameCount: number | null;
  types: ({
    eventType: string | null;
    eventCount: number;
    /** Missing now */
    missingCount: number;
  })[];
};

export type Gap = {
  id: string;
  hookId: string;
  provider: string;
  /** `asking` until the provider has listed all, then `found` */
  status: "asking" | "found" | "failed" | "cancelled";
  /** What was found, as a sentence */
  summary: string;
  /** Why it waits, or failed */
  reason: string | null;
  /** Later than what was asked for if the provider doesn't list that long */
  from: string;
  to: string;
  askedFrom: string;
  /** Null: it was deleted since */
  credentialId: string | null;
  /** Events that the provider listed */
  eventCount: number;
  /** The path of the webhook in the provider's API. Null: it lists events */
  webhook: string | null;
  /** Those that had never arrived when it was searched */
  missingCount: number;
  /** Missing ones that are deliveries now */
  takenCount: number;
  /** Missing ones that a webhook has brought since */
  repeatedCount: number;
  /** Missing ones that the hook's rules reject */
  refusedCount: number;
  /** The bulk job that takes them in. Null: none */
  jobId: string | null;
  askedBy: string;
  takenBy: string | null;
  createdAt: string;
  finishedAt: string | null;
};

export type BulkJob = {
  id: string;
  kind: "retry" | "cancel" | "accept" | "replay_missing" | "replay" | "take_in";
  filter: {
    [name: string]: unknown;
  };
  status: "running" | "paused" | "finished" | "cancelled";
  /** How many it found when it was created. Null: too many to count */
  total: number | null;
  changedCount: number;
  /** Only for `accept` and `take_in` */
  duplicateCount?: number;
  /** Only for `accept` and `take_in` */
  rejectedCount?: number;
  /** Only for `accept` */
  notStoredCount?: number;
  ratePerMinute: number | null;
  stopAfterFailures: number | null;
  /** Only its first 5 runs are queued, until they have ended */
  isTrial: boolean;
  /** Why it paused by itself */
  pauseReason: string | null;
  /** When and why its last batch failed, while it is running. It is tried again */
  problem: string | null;
  /** How many of the runs it has queued haven't ended */
  openCount: number;
  succeededCount: number;
  failedCount: number;
  skippedCount: number;
  cancelledCount: number;
  createdAt: string;
  finishedAt: string | null;
};

export type GapSchedule = {
  every: "off" | "hour" | "day";
  takeIn: "none" | "store" | "run";
  /** Null: it was deleted since, or it is off */
  credentialId: string | null;
  /** The same as for a search */
  webhook: string | null;
  /** Up to here everything was searched by itself */
  searchedUntil: string | null;
  /** When it searches next. Null: it is off */
  nextAt: string | null;
  savedBy: string | null;
};

export type Provider = {
  id: string;
  name: string;
  /** What to paste as the secret. Null: nothing */
  secret: string | null;
  /** Where to paste the catch URL and find the secret */
  where: string;
  /** Those of `verification.settings` */
  settings: ({
    name: string;
    help: string;
    example: string;
    isRequired: boolean;
  })[];
  /** How old a signed time may be */
  toleranceSeconds: number | null;
  /** What `POST /hooks/{id}/test` can send */
  eventTypes: (string)[];
  docsUrl: string | null;
};

export type Action = {
  id: string;
  hookId: string;
  name: string;
  enabled: boolean;
  position: number;
  /** The one call. Null: it has steps */
  request: ActionRequest | null;
  /** Null: it makes one call */
  steps: (ActionStep)[] | null;
  /** Which deliveries run it. Null: every accepted one */
  filter: unknown;
  retry: ShownRetry;
  success: ShownSuccess | null;
  rateLimit: RateLimit | null;
  breaker: ShownBreaker | null;
  order: RunOrder | null;
  timeoutMs: number;
  maxConcurrency: number | null;
  /** Goes up with each save of what the action does */
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type ActionRequest = {
  method: string;
  url: string;
  headers: {
    [name: string]: string;
  };
  query: {
    [name: string]: string;
  };
  /** Any JSON. Its strings are templates */
  body: unknown;
  bodyText: string | null;
  /** The parts of a multipart/form-data body. Null: no such body */
  multipart:
    | ({
        name: string;
        /** What the part holds */
        content: "text" | "base64" | "delivery";
        value: string;
        /** Null: a field */
        fileName: string | null;
        contentType: string | null;
      })[]
    | null;
  forward: {
    method: boolean;
    query: boolean;
    headers: "all" | (string)[];
  } | null;
  destinationId: string | null;
  auth: ShownAuth | null;
};

export type ShownAuth = {
  type: string;
  /** The name of the header, parameter, or field */
  name?: string;
  /** The last 4 characters */
  hint?: string | null;
  /** A saved credential */
  credentialId?: string;
};

export type ActionStep = {
  key: string;
  kind: string;
  [name: string]: unknown;
};

export type ShownRetry = {
  maxAttempts: number;
  initialDelayMs: number;
  maxDelayMs: number;
  on: (string | number)[];
  giveUpAfterSeconds?: number | null;
};

export type ShownSuccess = {
  statuses: (string | number)[] | null;
  /** What else must hold. Null: nothing */
  when: unknown;
};

export type RateLimit = {
  /** How many calls may start in `perSeconds` */
  count: number;
  /** The time in seconds for `count` calls */
  perSeconds: number;
};

export type ShownBreaker = {
  failures: number;
  windowSeconds: number;
  openSeconds: number;
};

export type RunOrder = {
  /** A template. Runs for which it gives the same value start in the order of their deliveries */
  by: string;
  /** How long a failing run holds those behind it. Null: until it has ended */
  skipAfterSeconds?: number | null | undefined;
};

export type DeliveryFilter = {
  /**
   * Conditions or nested filters that must all match. A filter has one of `all`, `any`, and
   * `none`
   */
  all?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which at least one must match */
  any?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which none may match */
  none?: readonly (unknown)[] | undefined;
};

export type RetryPolicy = {
  maxAttempts?: number | undefined;
  initialDelayMs?: number | undefined;
  maxDelayMs?: number | undefined;
  on?: readonly ("connection" | "timeout" | "5xx" | "unsuccessful" | number)[] | undefined;
  giveUpAfterSeconds?: number | null | undefined;
};

export type SuccessRule = {
  statuses?: readonly ("2xx" | "3xx" | "4xx" | "5xx" | number)[] | null | undefined;
  when?: ResponseFilter | null | undefined;
};

export type ResponseFilter = {
  /**
   * Conditions or nested filters that must all match. A filter has one of `all`, `any`, and
   * `none`
   */
  all?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which at least one must match */
  any?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which none may match */
  none?: readonly (unknown)[] | undefined;
};

export type Breaker = {
  failures?: number | undefined;
  windowSeconds?: number | undefined;
  openSeconds?: number | undefined;
};

export type MultipartPart = {
  name: string;
  content?: "text" | "base64" | "delivery" | undefined;
  value?: string | undefined;
  fileName?: string | null | undefined;
  contentType?: string | null | undefined;
};

export type Forward = {
  method?: boolean | undefined;
  query?: boolean | undefined;
  headers?: "all" | readonly (string)[] | undefined;
};

export type RequestAuth =
  | {
      /** How the request proves who sends it. `credential` uses a saved one */
      type: "bearer";
      /** The token after `Bearer` */
      token: string;
    }
  | {
      type: "basic";
      /** For `basic`: the user name. May be empty */
      username: string;
      /** For `basic`: the password. May be empty */
      password: string;
    }
  | {
      type: "header";
      /** The name of the header, query parameter, or field of the body */
      name: string;
      /** The secret value under that name */
      value: string;
    }
  | {
      type: "query";
      name: string;
      value: string;
    }
  | {
      type: "body";
      name: string;
      value: string;
    }
  | {
      type: "credential";
      /** The saved credential. It is sent to its origin only */
      credentialId: string;
    };

export type RequestTemplate = {
  /** GET and HEAD have no body */
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A template of the URL. It begins with `https://` or `http://`, or is a single template */
  url: string;
  /** Headers by name. Values are templates */
  headers?: {
    [name: string]: string;
  } | undefined;
  /** Query parameters by name, added to those of the URL. Values are templates */
  query?: {
    [name: string]: string;
  } | undefined;
  /** Any JSON. Strings in it are templates. Null: no body */
  body?: unknown | undefined;
  bodyText?: string | null | undefined;
  multipart?: readonly (MultipartPart)[] | null | undefined;
  forward?: Forward | null | undefined;
  /** Omitted in a change: the stored credentials stay. Null: no credentials */
  auth?: RequestAuth | null | undefined;
  /** The destination of the call, whose origin the URL has. Null: none */
  destinationId?: string | null | undefined;
};

export type Step =
  | {
      /** The name of the step: templates of later ones read `steps.<key>` */
      key: string;
      when?: StepFilter | null | undefined;
      forEach?: ForEach | null | undefined;
      /** Decides which other fields the step has */
      kind: "call";
      /** For `call`: the request to send */
      request: RequestTemplate;
      /** For `call`: the timeout. Null: the action's */
      timeoutMs?: number | null | undefined;
      /** For `call`: the retry policy. Null: the action's */
      retry?: RetryPolicy | null | undefined;
      /** For `call`: the responses that are a success. Null: the action's rule */
      success?: SuccessRule | null | undefined;
      /**
       * For `call`: what to do if a crash hides whether it was made. Null: `ask` for POST and
       * PATCH
       */
      onUnknown?: "repeat" | "ask" | null | undefined;
      onFailure?: unknown | undefined;
    }
  | {
      /** The name of the step: templates of later ones read `steps.<key>` */
      key: string;
      when?: StepFilter | null | undefined;
      forEach?: null | undefined;
      kind: "transform";
      /** For `transform`: JavaScript, `export default (delivery, steps) => …` */
      code: string;
      onFailure?: unknown | undefined;
    }
  | {
      /** The name of the step: templates of later ones read `steps.<key>` */
      key: string;
      when?: StepFilter | null | undefined;
      forEach?: ForEach | null | undefined;
      kind: "delay";
      /** For `delay`: how long to wait in milliseconds, unless `until` is there */
      ms?: number | undefined;
      /** For `delay`: a template that gives the time to wait for */
      until?: string | undefined;
      onFailure?: unknown | undefined;
    }
  | {
      /** The name of the step: templates of later ones read `steps.<key>` */
      key: string;
      when?: StepFilter | null | undefined;
      forEach?: ForEach | null | undefined;
      kind: "publish";
      /** For `publish`: a template of the event's type */
      type: string;
      /**
       * For `publish`: a template of the recipient. Null: the event goes to subscriptions without
       * one
       */
      recipient?: string | null | undefined;
      /** For `publish`: the event's data. Strings in it are templates */
      data?: unknown | undefined;
      onFailure?: unknown | undefined;
    };

export type StepFilter = {
  /**
   * Conditions or nested filters that must all match. A filter has one of `all`, `any`, and
   * `none`
   */
  all?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which at least one must match */
  any?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which none may match */
  none?: readonly (unknown)[] | undefined;
};

export type ForEach = {
  /** The list, such as `data.items` */
  path: string;
  /** How many items at the same time. 1: in order, and none after a failed one */
  parallel?: number | undefined;
};

export type WholeAction = Action & {
  breakerState?: BreakerState;
};

export type BreakerState =
  | {
      state: "closed";
    }
  | {
      state: "held";
      heldSince: string;
      reason: string;
    }
  | {
      state: "open";
      downSince: string;
      nextTryAt: string;
    }
  | {
      state: "probing";
      downSince: string;
      nextTryAt: string;
    }
  | {
      state: "recovering";
      downSince: string;
      concurrency: number;
    };

export type ActionPreview = {
  ok: boolean;
  /** Why nothing would be sent */
  code?: string;
  errors?: (FieldError)[];
  request?: {
    method: string;
    url: string;
    headers: {
      [name: string]: string;
    };
    rawHeaders: ([string, string])[];
    body: string | null;
    /** base64: it isn't UTF-8 */
    bodyEncoding: "utf8" | "base64";
  };
  /** The value of a step that calls nothing, as JSON */
  value?: string;
};

export type FieldError = {
  path: string;
  code:
    | "required"
    | "invalid_type"
    | "invalid_value"
    | "too_long"
    | "too_short"
    | "out_of_range"
    | "duplicate"
    | "not_allowed"
    | "unknown_field"
    | "unknown_value"
    | "invalid_json"
    | "invalid_template"
    | "missing_name"
    | "not_found"
    | "conflict"
    | "schema_mismatch";
  message: string;
  limit?: number;
  name?: string;
  line?: number;
  column?: number;
};

export type ExportedAction = {
  format: "catchment.action/1";
  name: string;
  /** Which deliveries run it. Null: every accepted one */
  filter: unknown;
  retry: ShownRetry;
  success: ShownSuccess | null;
  rateLimit: RateLimit | null;
  breaker: ShownBreaker | null;
  order: RunOrder | null;
  timeoutMs: number;
  maxConcurrency: number | null;
  /** The one call, as an import reads it. Null: it has steps */
  request: unknown;
  /** The steps, as an import reads them. Null: it makes one call */
  steps: unknown;
  /** Their kinds, by the key of the call */
  credentials: {
    [name: string]: {
      type: string;
      name?: string;
      changed?: true;
    };
  };
};

export type ImportedAction = RestoredAction & {
  /** The keys of calls whose destination isn't there. They call their URL */
  missingDestinations: (string)[];
};

export type ActionVersion = {
  number: number;
  /** An email address or a token's name. Null: saved before there were versions */
  author: string | null;
  createdAt: string;
  /** The changes in short. Null: it is the first version */
  summary: string | null;
  /** Why, as the author said on saving */
  note: string | null;
  restoredFrom: number | null;
  isCurrent: boolean;
};

export type WholeActionVersion = ActionVersion & {
  /** What the action did, without secrets */
  content: unknown;
  changes: ({
    path: string;
    /** Omitted: it was not there */
    before?: unknown;
    /** Omitted: it is no longer there */
    after?: unknown;
    isSecret?: boolean;
  })[];
};

export type RestoredAction = Action & {
  /** The keys of calls whose credentials must be entered */
  missingCredentials: (string)[];
};

export type Credential = {
  id: string;
  name: string;
  origin: string;
  auth: CredentialSettings;
  /** How many */
  usedBy: {
    actions: number;
    destinations: number;
    subscriptions: number;
  };
  createdAt: string;
  updatedAt: string;
};

export type CredentialSettings =
  | {
      type: "bearer" | "basic" | "hmac";
      /** The last 4 characters of the secret */
      hint: string;
    }
  | {
      type: "header" | "query";
      name: string;
      /** The last 4 characters of the secret */
      hint: string;
    }
  | {
      type: "oauth2";
      tokenUrl: string;
      clientId: string;
      scope: string | null;
      audience: string | null;
      clientAuth: "basic" | "body";
      /** The last 4 characters of the secret */
      hint: string;
    }
  | {
      type: "certificate";
      subject: string;
      /** ISO 8601 */
      expiresAt: string;
      hasCa: boolean;
    }
  | {
      type: "aws";
      accessKeyId: string;
      region: string;
      service: string;
      /** The last 4 characters of the secret */
      hint: string;
    };

export type CredentialAuth =
  | {
      /** How the request proves who sends it. `credential` uses a saved one */
      type: "bearer";
      /** The token after `Bearer` */
      token: string;
    }
  | {
      type: "basic";
      /** For `basic`: the user name. May be empty */
      username: string;
      /** For `basic`: the password. May be empty */
      password: string;
    }
  | {
      type: "header";
      /** The name of the header, query parameter, or field of the body */
      name: string;
      /** The secret value under that name */
      value: string;
    }
  | {
      type: "query";
      name: string;
      value: string;
    }
  | {
      type: "oauth2";
      /** For `oauth2`: the token endpoint */
      tokenUrl: string;
      /** For `oauth2`: the id of the client */
      clientId: string;
      /** For `oauth2`: the secret of the client */
      clientSecret: string;
      /** For `oauth2`: the scopes to ask for, with spaces in between. Null: none */
      scope?: string | null | undefined;
      /** For `oauth2`: the audience to ask for. Null: none */
      audience?: string | null | undefined;
      /** For `oauth2`: where the token request has the secret, in `Authorization` or in its body */
      clientAuth?: "basic" | "body" | undefined;
    }
  | {
      type: "hmac";
      /** For `hmac`: the key that signs each call as Standard Webhooks does, `whsec_` and base64 */
      secret: string;
    }
  | {
      type: "certificate";
      /** For `certificate`: the client's certificate in PEM, followed by any intermediate ones */
      certificate: string;
      /** For `certificate`: its private key in PEM, without a passphrase */
      privateKey: string;
      /**
       * For `certificate`: authorities in PEM to trust for this receiver besides the default ones.
       * Null: none
       */
      ca?: string | null | undefined;
    }
  | {
      type: "aws";
      /** For `aws`: the id of the access key */
      accessKeyId: string;
      /** For `aws`: the secret of the access key */
      secretAccessKey: string;
      /** For `aws`: the region, such as `eu-west-1` */
      region: string;
      /** For `aws`: the service as signatures name it, such as `sqs` */
      service: string;
    };

export type Destination = {
  id: string;
  name: string;
  origin: string;
  credentialId: string | null;
  maxConcurrency: number | null;
  rateLimit: RateLimit | null;
  breaker: ShownBreaker | null;
  /** How many */
  usedBy: {
    actions: number;
  };
  createdAt: string;
  updatedAt: string;
};

export type Backtest = {
  id: string;
  hookId: string;
  /** Null: of a new action */
  actionId: string | null;
  status: "running" | "finished" | "cancelled";
  /** Deliveries */
  total: number;
  doneCount: number;
  /** The saved version that was tried. Null: a draft */
  version: number | null;
  /** The version that it is compared with. Null: of a new action */
  against: number | null;
  counts: {
    run: number;
    skip: number;
    fail: number;
    changed: number;
    /** How many of `fail` also fail with the other version */
    stillFail: number;
  };
  createdAt: string;
  finishedAt: string | null;
};

export type BacktestResult = {
  deliveryId: string;
  /** Null: the delivery was deleted since */
  receivedAt: string | null;
  eventType: string | null;
  eventId: string | null;
  outcome: "run" | "skip" | "fail";
  /** The outcome of the version it is compared with. Null: there is none */
  currentOutcome: "run" | "skip" | "fail" | null;
  changed: boolean;
  /** Why it would be skipped, or would fail */
  reason: {
    code: string;
    message: string;
  } | null;
  requests: ({
    step: string;
    /** For a step with `forEach`: the item's position, from 0 */
    item: number | null;
    kind: "call" | "publish";
    method: string;
    url: string;
    /** Compared with the version in force. new: there is nothing to compare with */
    change: "same" | "changed" | "added" | "removed" | "new";
    changes: ({
      /** Such as url, headers.accept, or body.customer.email */
      path: string;
      /** Null: it wasn't there */
      before: string | null;
      /** Null: it is no longer there */
      after: string | null;
    })[];
    /** Changes that are not listed, because there are too many */
    moreChanges: number;
  })[];
  /** Requests that are not listed */
  moreRequests: number;
  /** Steps that need a response which no real run has and the request does not give */
  unknownSteps: (string)[];
  /** The sources of the responses that later steps used */
  responses: {
    [name: string]: "stored" | "given";
  };
  /** Lists whose items were not all evaluated */
  cutLists: (string)[];
};

export type Delivery = {
  id: string;
  hookId: string;
  status: "accepted" | "duplicate" | "rejected" | "pending" | "handshake" | "batch";
  /** Why it wasn't accepted, or wasn't published: a code */
  reason: string | null;
  /** The reason in words */
  detail: string | null;
  receivedAt: string;
  method: string;
  /** What follows the catch URL */
  path: string;
  /** Without secrets */
  query: string;
  contentType: string | null;
  /** In bytes, as sent */
  bodySize: number;
  eventId: string | null;
  eventType: string | null;
  /** The delivery that it repeats */
  duplicateOf: string | null;
  /** It says something else than that delivery. Null: not a duplicate, or not compared */
  duplicateDiffers: boolean | null;
  /** The batch that contained it */
  batchId: string | null;
  verification: {
    /** `verified`, `failed`, `not_configured`, or `pending` */
    outcome: string;
    scheme: string | null;
    reason: string | null;
  };
  sourceIp: string;
  /** From its first byte until it got its response */
  responseMs: number | null;
  /** Catchment made it */
  isSample: boolean;
};

export type WholeDelivery = Delivery & {
  /** By lowercase name, without credentials */
  headers: {
    [name: string]: string;
  };
  /** In the order and letter case received */
  rawHeaders: ([string, string])[];
  /** Less than `bodySize`: the body was cut */
  storedBodySize: number;
  body: string;
  bodyEncoding: "utf8" | "base64";
  /** The parsed body with all digits, or null */
  payload: unknown;
  /** Why there is no payload */
  payloadError?: string;
  payloadErrorCode?: string;
  /** The provider that it seems to come from. Not proven */
  suggestedProvider:
    | {
        id: string;
        name: string;
        why: (string)[];
        isClear: boolean;
        alternatives: ({
          id: string;
          name: string;
        })[];
      }
    | null;
  /** What the provider got, if an action replies or a listener answers */
  reply:
    | {
        sentAs: string;
        status: number | null;
        afterMs: number | null;
        problem: string | null;
      }
    | null;
  /** Where a delivery that never arrived comes from. Null: it arrived */
  fetched:
    | {
        /** The search that found it */
        gapId: string;
        /** Whose API listed it */
        provider: string;
        takenBy: string | null;
        /** By the provider's clock */
        occurredAt: string;
      }
    | null;
  /** Without attempts; the newest 200 */
  runs: (Run)[];
};

export type Run = {
  id: string;
  deliveryId: string | null;
  /** For a send: the id that its publisher gave the event */
  eventId: string | null;
  actionId: string | null;
  /** At the last attempt; null: it hasn't ended */
  actionVersion: number | null;
  /** For a send */
  subscriptionId: string | null;
  status:
    | "queued"
    | "running"
    | "retrying"
    | "succeeded"
    | "failed"
    | "skipped"
    | "cancelled"
    | "held";
  /** A code and a sentence: `retry: HTTP 503` */
  reason: string | null;
  attemptCount: number;
  /** Null: none is planned, or one is in flight */
  nextAttemptAt: string | null;
  createdAt: string;
  finishedAt: string | null;
};

export type QueuedRuns = {
  runs: (Run)[];
};

export type ReplayDryRun = {
  /** Runs that it would queue; null: too many to count */
  total: number | null;
  /** Deliveries whose request of then can't be sent again */
  leftOut: {
    notStored: number;
    nothingSent: number;
  } | null;
  /** The first 5 runs */
  sample: ({
    deliveryId: string;
    actionId: string;
    actionName: string;
    outcome: "run" | "skip" | "fail" | "steps";
    request: {
      method: string;
      url: string;
    } | null;
    message: string | null;
  })[];
};

export type Why = {
  actionId: string;
  runId: string | null;
  code: string;
  sentence: string;
};

export type Diagnosis = {
  verdict: "explained" | "unexplained" | "not_failed";
  findings: ({
    code: string;
    /** What is wrong, and how to fix it */
    sentence: string;
    confidence: "certain" | "likely" | "possible";
    fix:
      | {
          kind: "change_provider";
          provider: string;
          /** The text of a button */
          label: string;
          /** What the fix changes */
          effect: string;
        }
      | {
          kind: "change_verification";
          /** The same as for a hook whose provider is `custom` */
          verification: unknown;
          /** The text of a button */
          label: string;
          /** What the fix changes */
          effect: string;
        }
      | {
          kind: "replace_secret";
          secretId: string;
          change: string;
          /** The text of a button */
          label: string;
          /** What the fix changes */
          effect: string;
        }
      | {
          kind: "extend_secret";
          secretId: string;
          seconds: number;
          /** The text of a button */
          label: string;
          /** What the fix changes */
          effect: string;
        }
      | {
          kind: "allow_method";
          method: string;
          /** The text of a button */
          label: string;
          /** What the fix changes */
          effect: string;
        }
      | null;
    suggestedProvider?: {
      id: string;
      name: string;
    };
  })[];
  /** Variants that were verified */
  tried: number;
  /** False: it stopped before everything was tried */
  isComplete: boolean;
  triedWhat: string | null;
  /** What to do next, if nothing explains it */
  next: string | null;
};

export type NewListener = Listener & {
  /** The connection of this program */
  connectionId: string;
};

export type Listener = {
  id: string;
  /** Null: it ends with its connection */
  name: string | null;
  /** The person it belongs to, or the token without one */
  owner: string;
  /** Empty: all hooks */
  hookIds: (string)[];
  filter: {
    /** Empty: all types */
    eventTypes: (string)[];
  };
  /** Accepted deliveries that it hasn't acknowledged. Counted up to 10,000 */
  lag: number;
  /** The programs that are connected now */
  connections: ({
    id: string;
    host: string;
    isShared: boolean;
    /** What it responds is what providers get */
    replies: boolean;
    connectedAt: string;
  })[];
  createdAt: string;
  /** When a program was last connected */
  seenAt: string;
};

export type Frame = {
  cursor: string;
  deliveryId: string;
  hookId: string;
  eventType: string | null;
  receivedAt: string;
  method: string;
  /** What follows the catch URL, with the query. Without secrets */
  path: string;
  /** In the order and letter case received. Credentials are redacted, signatures aren't */
  headers: ([string, string])[];
  bodyBytes: number;
  /** Null: it is larger than 256 KiB */
  bodyBase64: string | null;
  /** The call that returns a larger body, as `body` and `bodyEncoding` */
  bodyUrl: string | null;
};

export type ListenerResponse = {
  listenerId: string;
  /** Its name then. Null: it had none */
  listener: string | null;
  /** The person it belonged to, or the token without one */
  owner: string;
  /** The machine, as it called itself */
  host: string;
  status: number;
  /** By lowercase name, without credentials */
  headers: {
    [name: string]: string;
  };
  rawHeaders: ([string, string])[];
  /** Up to 16 KiB of it */
  body: string;
  /** It isn't text, and `body` is its size */
  bodyBinary: boolean;
  /** The size of the whole body */
  bodyBytes: number;
  /** Not all of the body was kept */
  truncated: boolean;
  durationMs: number;
  /** The provider got it, if it came in time */
  replies: boolean;
  respondedAt: string;
};

export type WholeRun = ChangedRun & {
  steps: (RunStep)[];
};

export type RunWait =
  | {
      kind: "receiver";
      downSince: string;
      nextTryAt: string;
      /** One sentence */
      detail: string;
    }
  | {
      kind: "action";
      heldSince: string;
      reason: string;
      /** One sentence */
      detail: string;
    }
  | {
      kind: "order";
      runId: string;
      deliveryId: string;
      createdAt: string;
      /** One sentence */
      detail: string;
    };

export type Attempt = {
  number: number;
  /** The key of its step, if the action has steps */
  step?: string;
  /** For a step that repeats for a list: the item's position, from 0 */
  item?: number | null;
  startedAt: string;
  durationMs: number;
  /**
   * `method`, `url`, headers, `body`, and `bodyTruncated`. `bodyBinary`: not all of it is
   * UTF-8, and binary parts are their sizes
   */
  request:
    | {
        headers: {
          [name: string]: string;
        };
        rawHeaders: ([string, string])[];
        [name: string]: unknown;
      }
    | null;
  /**
   * `status`, headers, `body`, and `truncated`. `bodyBinary`: it isn't text, and `body` is its
   * size
   */
  response:
    | {
        headers: {
          [name: string]: string;
        };
        rawHeaders: ([string, string])[];
        [name: string]: unknown;
      }
    | null;
  error: {
    code: string;
    message: string;
  } | null;
  /** It ended after the run was canceled or taken over */
  late: boolean;
};

export type RunStep = {
  key: string;
  /** Null: the step as a whole */
  item: number | null;
  state:
    | "calling"
    | "waiting"
    | "retrying"
    | "unknown"
    | "succeeded"
    | "failed"
    | "skipped"
    | "reset";
  attemptCount: number;
  nextAttemptAt: string | null;
  startedAt: string;
  durationMs: number | null;
  /**
   * `method`, `url`, headers, `body`, and `bodyTruncated`. `bodyBinary`: not all of it is
   * UTF-8, and binary parts are their sizes
   */
  request:
    | {
        headers: {
          [name: string]: string;
        };
        rawHeaders: ([string, string])[];
        [name: string]: unknown;
      }
    | null;
  /**
   * `status`, headers, `body`, and `truncated`. `bodyBinary`: it isn't text, and `body` is its
   * size
   */
  response:
    | {
        headers: {
          [name: string]: string;
        };
        rawHeaders: ([string, string])[];
        [name: string]: unknown;
      }
    | null;
  error: {
    code: string;
    message: string;
  } | null;
};

export type ChangedRun = Run & {
  waitsFor: RunWait | null;
  attempts: (Attempt)[];
};

export type FailureList = {
  data: (Failure)[];
  from: string;
  to: string;
  /** Groups that aren't listed, because they have fewer runs */
  more: number;
  /** False: only the newest 200,000 runs are counted */
  isComplete: boolean;
};

export type Failure = {
  actionId: string | null;
  /** For sends */
  subscriptionId: string | null;
  /** The code of the runs' reason: `mapping_failed` */
  reason: string;
  count: number;
  firstAt: string;
  lastAt: string;
  /** The runs in 28 equal parts of the time, oldest first */
  histogram: (number)[];
  /** Null: not muted */
  mutedAt: string | null;
  /** The last run */
  example: {
    runId: string;
    deliveryId: string | null;
    /** For a send: the id that its publisher gave the event */
    eventId: string | null;
    /** The reason in a sentence */
    detail: string | null;
  };
};

export type AuditEntry = {
  /** Its number in the account, from 1 on, without a gap */
  seq: number;
  at: string;
  /** Such as `hook.secret.rotated` */
  event: string;
  actor: {
    type: "user" | "token" | "portal" | "system";
    id: string;
    /** Its name at that time */
    name: string;
  };
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  targets: ({
    type: string;
    id: string;
    name?: string;
  })[];
  /** `{path, before, after}`, or `{path, isHidden}` for a secret */
  changes:
    | ({
        path: string;
        before?: string | number | boolean | null;
        after?: string | number | boolean | null;
        isHidden?: true;
      })[]
    | null;
};

export type AuditReceiver = {
  receiverUrl: string;
  /** The number of the newest entry that it has accepted */
  sentSeq: number;
  sentAt: string | null;
  /** The number of entries that it hasn't accepted yet */
  waiting: number;
  /** Null: the newest try succeeded */
  failure:
    | {
        message: string;
        since: string;
        /** The tries of the next entry */
        attempts: number;
        nextAttemptAt: string;
      }
    | null;
  createdAt: string;
  updatedAt: string;
};

export type NewAuditReceiver = AuditReceiver & {
  /** Signs each entry, and is shown once. Null: it is the one from before */
  secret: string | null;
};

export type Problem = {
  id: string;
  kind:
    | "action_failing"
    | "rejected"
    | "silence"
    | "shape"
    | "missing_events"
    | "subscription_failing"
    | "audit_failing"
    | "disk"
    | "spool"
    | "archive"
    | "clock"
    | "database"
    | "registration"
    | "quota"
    | "certificate";
  state: "open" | "acknowledged" | "resolved";
  hookId: string | null;
  actionId: string | null;
  subscriptionId: string | null;
  /** A code, such as `receiver_down` */
  reason: string | null;
  firstAt: string;
  lastAt: string;
  /** How often it happened */
  count: number;
  details: ProblemDetails;
  example: {
    deliveryId: string | null;
    runId: string | null;
  };
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
  resolvedAt: string | null;
  /** Null: it resolved itself, or is not resolved */
  resolvedBy: string | null;
  resolution: "recovered" | "manual" | "muted" | "deleted" | "disabled" | null;
  /** The member who takes care of it */
  assigneeId: string | null;
  /** Their name */
  assignee: string | null;
  comment: string | null;
  commentedAt: string | null;
  commentedBy: string | null;
};

export type ProblemDetails =
  | {
      kind: "action_failing";
      /** The last failure in a sentence */
      message: string | null;
    }
  | {
      kind: "subscription_failing";
      /** The last failure in a sentence */
      message: string | null;
    }
  | {
      kind: "audit_failing";
      /** The host of the receiver of the audit log */
      host: string;
      /** The last failure in a sentence */
      message: string;
    }
  | {
      kind: "rejected";
      /** The message in the response to the provider */
      message: string | null;
    }
  | {
      kind: "silence";
      /** Such as: Usually about 40 an hour on Sundays from 11:00 to 14:00 UTC, nothing for 3 hours */
      message: string;
      usualPerHour: number;
      /** Deliveries per hour in the same hours of earlier weeks, newest first */
      earlierWeeks?: (number)[];
      /** The hook's setting */
      expectEveryMinutes?: number | null;
      /** ISO 8601 */
      silentSince?: string | null;
      /** ISO 8601. Of the last accepted delivery */
      lastDeliveryAt: string | null;
      /** Deliveries arrive, but all are rejected */
      isOnlyRejected: boolean;
      /** Until the problem opened, counted up to 1,000 */
      rejectedCount?: number;
    }
  | {
      kind: "shape";
      eventType: string | null;
      changes: ({
        /** Such as `data.object.amount` */
        path: string;
        change: "missing" | "type" | "new";
        /** The type that it had. Null: it is new */
        before: string | null;
        /** The type that it has. Null: it is missing */
        after: string | null;
      })[];
      /** The actions that read a changed field */
      actions: ({
        id: string;
        name: string;
        /** The changed fields that it reads */
        paths: (string)[];
        /** Where: `body.amount`, `filter`, or `notify: url` in a step */
        readBy?: (string)[];
      })[];
    }
  | {
      kind: "missing_events";
      /** Events that never arrived. Null: the provider couldn't be asked */
      missing: number | null;
      /** What is missing, or why it isn't known, in a sentence */
      message: string;
    }
  | {
      kind: "disk";
      freeBytes: number;
      totalBytes: number;
      /** Below it, deliveries are rejected */
      minFreeBytes: number;
    }
  | {
      kind: "spool";
      /** Accepted deliveries of all accounts that aren't stored yet */
      waiting: number;
      /** ISO 8601. When the oldest was accepted */
      oldestAt: string | null;
      /** Deliveries that can't be stored, and wait for the operator */
      setAside: number;
      /** The machines whose spools they are in */
      hosts: (string)[];
      /** The names of the first files that are set aside. None with RabbitMQ */
      asideNames?: (string)[];
    }
  | {
      kind: "archive";
      /** The Monday of the oldest week that can't be archived */
      week: string;
      /** Why, in a sentence */
      message: string;
    }
  | {
      kind: "clock";
      /** The machines whose clocks are off by over a minute */
      machines: ({
        host: string;
        /** How far its clock is off. Negative: it is behind */
        offsetSeconds: number;
      })[];
      /** One is off by over an hour, and rejects deliveries */
      refuses: boolean;
    }
  | {
      kind: "registration";
      /** The provider's name */
      provider: string;
      /** Why the webhook can't be kept registered, in a sentence */
      message: string;
    }
  | {
      kind: "quota";
      recipient: string;
      /** Sends of the day or month */
      used: number;
      limit: number;
      per: "day" | "month";
      whenUsedUp: "delay" | "refuse";
      /** The first day of the next one, in UTC */
      resetsOn: string;
    }
  | {
      kind: "certificate";
      credentialId: string;
      /** The name of the credential */
      name: string;
      /** Where its calls go */
      origin: string;
      /** ISO 8601 */
      expiresAt: string;
      hasExpired: boolean;
    }
  | {
      kind: "database";
      /** How long PostgreSQL was away. It is back */
      seconds: number;
      /** Those of all accounts that the spool took meanwhile */
      deliveries: number;
    };

export type Alert = {
  id: string;
  channelId: string;
  channelName: string;
  channelKind: "email" | "slack" | "discord" | "teams" | "pagerduty" | "url";
  event: "opened" | "acknowledged" | "reminder" | "resolved" | "digest";
  state: "held" | "waiting" | "sent" | "failed" | "digested" | "dropped";
  dueAt: string;
  createdAt: string;
  endedAt: string | null;
  attempts: ({
    number: number;
    startedAt: string;
    /** Null: it is being made, or its worker was stopped */
    durationMs: number | null;
    isSent: boolean | null;
    message: string | null;
  })[];
};

export type NewAlertChannel = AlertChannel & {
  /** Signs calls to a URL, and is shown once. Null for other kinds */
  secret: string | null;
};

export type AlertChannel = {
  id: string;
  name: string;
  kind: "email" | "slack" | "discord" | "teams" | "pagerduty" | "url";
  /** The email address, or the host of the URL */
  target: string;
  createdAt: string;
  updatedAt: string;
};

export type AlertChannelTest = {
  ok: boolean;
  /** How it went, in a sentence */
  message: string;
};

export type AlertRule = {
  id: string;
  kind:
    | "action_failing"
    | "rejected"
    | "silence"
    | "shape"
    | "missing_events"
    | "subscription_failing"
    | "audit_failing"
    | "disk"
    | "spool"
    | "archive"
    | "clock"
    | "database"
    | "registration"
    | "quota"
    | "certificate";
  threshold: number;
  withinSeconds: number;
  channelIds: (string)[];
  quietHours:
    | {
        /** When they begin, such as `22:00` */
        from: string;
        /** When they end. Before `from`: on the next day */
        to: string;
        /** The IANA time zone of both, such as `Europe/Berlin` */
        timeZone: string;
        /** True: Saturdays and Sundays are quiet as a whole */
        weekends?: boolean;
      }
    | null;
  digest: "off" | "hourly" | "daily";
  remindMinutes: number | null;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
};

export type SavedView = {
  id: string;
  list: "deliveries" | "runs";
  name: string;
  /** The parameters of the list's URL by name */
  params: {
    [name: string]: string;
  };
  /** The menu opens its list with it */
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
};

export type PublishedEvent = {
  id: string;
  type: string;
  recipient: string | null;
  /** The number of its sends, unless it is a duplicate */
  runs?: number;
  duplicate: boolean;
  /** How `data` differs from the schema of its type */
  warning?: string;
};

export type UnpublishedEvent = {
  id: string;
  error: {
    code: "conflict" | "unavailable";
    message: string;
  };
};

export type Event = {
  id: string;
  type: string;
  recipient: string | null;
  occurredAt: string | null;
  createdAt: string;
  /** The delivery that a hook published */
  deliveryId: string | null;
  /** How `data` differs from the schema of its type */
  warning: string | null;
  /** Made for one subscription. No other one gets it */
  isTest: boolean;
  /** In bytes */
  bodySize: number;
};

export type WholeEvent = Event & {
  /** What receivers get: `{id, type, timestamp, data}` */
  body: unknown;
  /** Its newest 200 sends, without attempts */
  runs: (Run)[];
};

export type CreatedSubscription = UpdatedSubscription & {
  secret: string;
};

export type ReceiverSettings =
  | {
      /** The kind of receiver, as the credential says */
      type: "eventbridge";
      /** For `eventbridge`: the name or ARN of the event bus */
      eventBus?: string | undefined;
      /** For `eventbridge`: the source of the events, which rules match */
      source?: string | undefined;
    }
  | {
      /** The kind of receiver, as the credential says */
      type: "rabbitmq";
      /** For `rabbitmq`: the name of the exchange. Empty: the default one */
      exchange?: string | undefined;
      /** For `rabbitmq`: the routing key. Null: the event's type */
      routingKey?: string | null | undefined;
    }
  | {
      /** The kind of receiver, as the URL says */
      type: "kafka";
      /** For `kafka`: the topic. It has to exist */
      topic: string;
      /**
       * For `kafka`: the key of each message. Null: the recipient. Without one, the event's id, or
       * with `ordered`, the subscription's id
       */
      key?: string | null | undefined;
      /** For `kafka`: how the credential is shown to the brokers (SASL) */
      mechanism?: "plain" | "scram-sha-256" | "scram-sha-512" | undefined;
    };

export type EventFilter = {
  /**
   * Conditions or nested filters that must all match. A filter has one of `all`, `any`, and
   * `none`
   */
  all?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which at least one must match */
  any?: readonly (unknown)[] | undefined;
  /** Conditions or nested filters of which none may match */
  none?: readonly (unknown)[] | undefined;
};

export type RetrySchedule = {
  maxAttempts?: number | undefined;
  initialDelayMs?: number | undefined;
  maxDelayMs?: number | undefined;
};

export type TransformCheck = {
  /** The newest stored events that it ran on, up to 100 */
  checked: number;
  failed: number;
  /** Those that it returned null for */
  skipped: number;
  /** The newest ones that it fails for, up to 20 */
  failures: ({
    eventId: string;
    type: string;
    message: string;
    /** From 1; null: unknown */
    line: number | null;
    /** From 1; null: unknown */
    column: number | null;
  })[];
};

export type Subscription = {
  id: string;
  receiverUrl: string;
  eventTypes: (string)[];
  /** What an event has to match, or null */
  filter: unknown;
  recipient: string | null;
  description: string | null;
  /** The last 4 characters of each value */
  headers: {
    [name: string]: string;
  };
  rateLimit: {
    count: number;
    perSeconds: number;
  } | null;
  maxConcurrency: number | null;
  ordered: boolean;
  keyPair: boolean;
  metadata: {
    [name: string]: string;
  };
  retry: {
    maxAttempts: number;
    initialDelayMs: number;
    maxDelayMs: number;
  };
  timeoutMs: number;
  /** It gets the newest version of each event type up to this date */
  version: string;
  /** The saved credential of its calls */
  credentialId: string | null;
  /** Settings of a receiver that isn't a URL. Null: the defaults */
  receiver: ReceiverSettings | null;
  /** JavaScript that makes an event into the body that is sent. Null: the event itself */
  transform: string | null;
  status: "active" | "disabled" | "pending";
  /** Why it isn't active */
  statusReason: string | null;
  /** Since when every call has failed */
  failingSince: string | null;
  /** The last 4 characters of the newest secret */
  secretHint: string | null;
  /** Those that sign now, newest first */
  secrets: ({
    id: string;
    hint: string;
    createdAt: string;
    expiresAt: string | null;
  })[];
  /** The public key of its key pair */
  publicKey: string | null;
  createdAt: string;
  updatedAt: string;
};

export type UpdatedSubscription = Subscription & {
  /** What looks wrong, and what to do */
  warnings: (string)[];
};

export type NewSubscription = Subscription & {
  secret: string;
};

export type SentTestEvent = {
  eventId: string;
  runId: string;
  type: string;
};

export type EventType = {
  name: string;
  description: string | null;
  /** JSON Schema of `data`; null: anything */
  schema: unknown;
  /** An example of `data`, or null */
  example: unknown;
  deprecated: boolean;
  onMismatch: "warn" | "reject";
  /** The newest version, which `schema` and `example` are of */
  version: string;
  createdAt: string;
  updatedAt: string;
};

export type EventTypeImport = {
  /** The names of the entries */
  imported: (string)[];
  skipped: ({
    name: string;
    reason: string;
  })[];
};

export type EventTypeVersions = {
  data: (EventTypeVersion)[];
};

export type EventTypeVersion = {
  /** A date, or `first` */
  version: string;
  isNewest: boolean;
  /** JSON Schema of `data`; null: anything */
  schema: unknown;
  /** An example of `data`, or null */
  example: unknown;
  /** Makes an event into `data` of the version before */
  transform: string | null;
  /** What has changed */
  note: string | null;
  /** What the schema allows that the one before doesn't, up to 50 entries */
  breaking: ({
    path: string;
    message: string;
  })[];
  /** The subscriptions that get it, among the newest 10,000 */
  subscribers: number;
  createdAt: string;
  /** From then on, its subscribers get the next version */
  endsAt: string | null;
};

export type EventTypeVersionCheck = {
  /** What the schema allows that the one before doesn't, up to 50 entries */
  breaking: ({
    path: string;
    message: string;
  })[];
  /** The newest stored events, and those that don't match the new schema */
  stored: {
    checked: number;
    mismatched: number;
    /** The difference of the newest one that doesn't */
    reason: string | null;
  };
  /** Why it can't be published */
  problem: string | null;
};

export type Recipient = {
  /** The account's own id of a customer */
  id: string;
  name: string | null;
  metadata: {
    [name: string]: string;
  };
  quota:
    | {
        /** Sends, each with all of its calls */
        limit: number;
        /** A day or a month, in UTC */
        per: "day" | "month";
        /** Whether later sends wait for the next period, or are canceled */
        whenUsedUp: "delay" | "refuse";
      }
    | null;
  /** Null: it has no quota */
  quotaUse:
    | {
        /** Sends of the day or month that is now */
        used: number;
        /** When the next one begins */
        resetsAt: string;
      }
    | null;
  subscriptionCount: number;
  createdAt: string;
  updatedAt: string;
};

export type Quota = {
  /** Sends, each with all of its calls */
  limit: number;
  /** A day or a month, in UTC */
  per: "day" | "month";
  /** Whether later sends wait for the next period, or are canceled */
  whenUsedUp?: "delay" | "refuse" | undefined;
};

export type PortalLink = {
  id: string;
  capabilities: ("subscriptions:read" | "subscriptions:write" | "events:read" | "resend")[];
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export type NewPortalLink = {
  id: string;
  /** Contains the token, and is shown once */
  url: string;
  capabilities: ("subscriptions:read" | "subscriptions:write" | "events:read" | "resend")[];
  expiresAt: string;
};

export type Sending = {
  /** Null: the account's name */
  portalName: string | null;
  portalColor: string | null;
  /** A `data:` URL */
  portalLogo: string | null;
  portalOrigins: (string)[];
  challengeNewUrls: boolean;
  isCatalogPublic: boolean;
  /** The name of the header `t=…,v1=…` */
  signatureHeader: string;
  catchmentSignature: boolean;
  standardWebhooksHeaders: boolean;
  /** Addresses and networks that calls come from, as the operator says. Read-only */
  egressIps: (string)[];
};

export type Account = {
  id: string;
  slug: string;
  name: string;
  createdAt: string;
};

export type Member = {
  id: string;
  name: string;
  email: string;
  role: "viewer" | "member" | "admin" | "owner";
  joinedAt: string;
};

export type Usage = {
  /** In UTC, such as 2026-11-21. Null: all days */
  day: string | null;
  hookId: string | null;
  /** Null with `by=recipient`: events without a recipient */
  recipient: string | null;
  /** The name of the hook or recipient, if it still exists */
  name: string | null;
  /** Stored requests to hooks, of any status */
  deliveries: number;
  /** The size of the bodies of deliveries and events */
  bytes: number;
  /** Published events */
  events: number;
  /** Events that were sent to a subscription, with at least one call */
  sends: number;
  /** Every attempt of actions and sends */
  calls: number;
};

export type Erasure = {
  id: string;
  mode: "redact" | "delete";
  /** It only counts */
  dryRun: boolean;
  status: "running" | "finished" | "cancelled";
  /**
   * A keyed hash of each value, as in the audit log. The values themselves aren't stored after
   * the end
   */
  fingerprints: (string)[];
  /** Each pass looks at everything, and one that finds nothing is the last */
  pass: number;
  /** Where the values were. Only places with one */
  places: ({
    place:
      | "deliveries"
      | "events"
      | "runs"
      | "queue"
      | "attempts"
      | "run_steps"
      | "replies"
      | "listener_responses"
      | "backtests"
      | "backtest_results"
      | "gaps"
      | "shapes"
      | "problems"
      | "notices"
      | "alert_attempts"
      | "bulk_jobs"
      | "saved_views"
      | "stored_responses"
      | "drafts"
      | "usage"
      | "archive"
      | "account"
      | "hooks"
      | "actions"
      | "action_versions"
      | "destinations"
      | "credentials"
      | "event_types"
      | "subscriptions"
      | "recipients"
      | "alert_channels"
      | "listeners"
      | "members"
      | "api_tokens"
      | "audit_log";
    /** Rows with a value */
    found: number;
    /** Rows that were redacted or deleted. 0 in a place that is only counted */
    changed: number;
  })[];
  /** It leaves a rule for each value at its end, unless it only counts */
  laterArrivals: boolean;
  /** The rules that started it, because a value had arrived again. Empty: someone did */
  ruleIds: (string)[];
  /** What couldn't be looked into, in sentences */
  left: (string)[];
  createdAt: string;
  /** Null: it is running */
  finishedAt: string | null;
};

export type ErasureRule = {
  id: string;
  /** The erasure that left it */
  erasureId: string;
  /** The keyed hash of the value in that erasure and its receipt */
  fingerprint: string;
  /** What happens to deliveries and events with the value */
  mode: "redact" | "delete";
  /** Who started that erasure */
  createdBy: string;
  createdAt: string;
  /** Deliveries and events that had the value */
  matches: number;
  /** When it was last found. Null: not yet */
  lastMatchAt: string | null;
};

export type MaskedFields = {
  /** Such as `**.email` and `data.object.card.*` */
  fields: (string)[];
};

export type Configuration = {
  /** `catchment.configuration/1` */
  format: string;
  [name: string]: unknown;
};

export type ConfigurationPlan = {
  /** What apply has to be called with */
  planId: string;
  /** What differs. Empty: nothing */
  items: (ConfigurationDifference)[];
  /** How much is in the files and the same in the account */
  sameCount: number;
  /** How much is only in the account, and stays */
  keptCount: number;
  /** How much gets the mark of the files */
  adoptedCount: number;
  /** How much of what has the mark is deleted */
  prunedCount: number;
  /**
   * What has the mark and was changed since its files were last applied, such as in the
   * dashboard
   */
  changedOutside: (ConfigurationOutsideChange)[];
  /** What a person has to do afterwards */
  toDo: (string)[];
};

export type ConfigurationDifference = {
  op: "add" | "change" | "delete";
  /** Such as `hook` */
  kind: string;
  /** In words, such as `hook "Orders"` */
  what: string;
  /** The fields that change */
  changes: (ConfigurationChange)[];
};

export type ConfigurationChange = {
  /** Such as `request.url` */
  path: string;
  /** JSON, of at most 1,000 characters. Null: it wasn't there, or is secret */
  from: string | null;
  /** JSON. Null: it will not be there, or is secret */
  to: string | null;
  /** It changes, and no one can read to what */
  isSecret: boolean;
};

export type ConfigurationOutsideChange = {
  /** Such as `hook` */
  kind: string;
  /** In words, such as `hook "Orders"` */
  what: string;
  /** When it was last changed */
  at: string;
  /** Who last changed it */
  by: string;
  /** What was changed, as the audit log names it. Empty: the log says no more */
  fields: (string)[];
  isDeleted: boolean;
  /** Apply undoes it, because the files say something else */
  isUndone: boolean;
};

export type SentInvitation = Invitation & {
  /** Works once. It can't be read again. Null: it was sent to the person by email */
  url: string | null;
  emailState: "sent" | "failed" | "off";
};

export type Invitation = {
  id: string;
  email: string;
  role: "viewer" | "member" | "admin" | "owner";
  invitedBy: string | null;
  createdAt: string;
  expiresAt: string;
};

export type CreateHookInput = {
  /** The name in lists and alerts */
  name: string;
  provider?: string | undefined;
  status?: "active" | "pending" | undefined;
  signingSecret?: string | undefined;
  verification?: unknown | undefined;
  dedupe?: unknown | undefined;
  eventType?: unknown | undefined;
  methods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[] | undefined;
  response?: HookResponse | null | undefined;
  splitBatches?: boolean | undefined;
  toleranceSeconds?: number | null | undefined;
  replayProtection?: boolean | null | undefined;
  ratePerSecond?: number | null | undefined;
  publish?: HookPublish | null | undefined;
  cors?: HookCors | null | undefined;
  silence?: HookSilence | undefined;
  fieldSearch?: boolean | undefined;
  retentionDays?: number | null | undefined;
  retentionCount?: number | null | undefined;
  keyPrefix?: string | undefined;
  path?: string | null | undefined;
};

export type ListHooksInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetHookInput = {
  id: string;
};

export type UpdateHookInput = ({
  id: string;
}) & ({
  /** The name in lists and alerts */
  name?: string | undefined;
  status?: "active" | "paused" | "disabled" | "pending" | undefined;
  provider?: string | undefined;
  signingSecret?: string | null | undefined;
  verification?: unknown | undefined;
  dedupe?: unknown | undefined;
  eventType?: unknown | undefined;
  methods?: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[] | undefined;
  response?: HookResponse | null | undefined;
  splitBatches?: boolean | undefined;
  toleranceSeconds?: number | null | undefined;
  replayProtection?: boolean | null | undefined;
  ratePerSecond?: number | null | undefined;
  publish?: HookPublish | null | undefined;
  cors?: HookCors | null | undefined;
  silence?: HookSilence | undefined;
  fieldSearch?: boolean | undefined;
  retentionDays?: number | null | undefined;
  retentionCount?: number | null | undefined;
  reply?: HookReply | null | undefined;
  path?: string | null | undefined;
});

export type DeleteHookInput = ({
  id: string;
}) & ({
  /** True: the webhook that Catchment keeps at the provider is removed too */
  removeRegistration?: boolean | undefined;
});

export type RotateHookSecretInput = ({
  id: string;
}) & ({
  /** The new signing secret, as the provider shows it */
  secret: string;
  /** How long earlier secrets stay valid. 0 ends them now */
  expirePreviousAfterSeconds?: number | undefined;
});

export type RotateCatchUrlInput = ({
  id: string;
}) & ({
  keyPrefix?: string | undefined;
  /** How long the previous URL still works. 0 ends it now */
  expirePreviousAfterSeconds?: number | undefined;
});

export type EndPreviousCatchUrlsInput = {
  id: string;
};

export type PauseHookInput = {
  id: string;
};

export type ResumeHookInput = {
  id: string;
};

export type VerifyPendingInput = {
  id: string;
};

export type CountDuplicatesInput = ({
  id: string;
}) & ({
  /** False: stored duplicates stay as they are */
  acceptStored?: boolean | undefined;
});

export type ReadHandshakeSecretInput = {
  id: string;
};

export type TestHookInput = ({
  id: string;
}) & ({
  eventType?: string | undefined;
});

export type RegisterHookInput = ({
  id: string;
}) & ({
  /** The saved credential for the provider's API. Omitted: the one that this registration has */
  credentialId?: string | undefined;
  /** The types to register for, as the provider writes them */
  eventTypes: readonly (string)[];
  /** What the webhook belongs to at the provider, such as a repository, if it needs one */
  resource?: string | undefined;
  /**
   * Whether it is registered again by itself after someone deleted it at the provider.
   * Default: `ask`
   */
  recreate?: "ask" | "always" | undefined;
});

export type GetRegistrationInput = {
  id: string;
};

export type RemoveRegistrationInput = ({
  id: string;
}) & ({
  /** True: the provider keeps its webhook, and Catchment only forgets it */
  keep?: boolean | undefined;
});

export type FindGapInput = ({
  id: string;
}) & ({
  /** The beginning of the time to ask the provider about */
  from: string;
  /** Its end. Omitted: now */
  to?: string | undefined;
  /** The saved credential for the provider's API. Omitted: the one that this hook used last */
  credentialId?: string | undefined;
  /**
   * For GitHub and GitLab: the address of the webhook's page there, or its path in the API.
   * Omitted: the last one
   */
  webhook?: string | undefined;
});

export type ListGapsInput = {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetGapInput = {
  id: string;
  gapId: string;
};

export type CancelGapInput = {
  id: string;
  gapId: string;
};

export type TakeInGapInput = ({
  id: string;
  gapId: string;
}) & ({
  /** True: the hook's actions run. False: the deliveries are only stored */
  run: boolean;
  /** Only missing events of these types. Omitted: all */
  eventTypes?: readonly (string)[] | undefined;
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
});

export type GetGapScheduleInput = {
  id: string;
};

export type PutGapScheduleInput = ({
  id: string;
}) & ({
  /** How often to search. `off`: only when a person does */
  every: "off" | "hour" | "day";
  /**
   * What to do if something is missing. `none`: open a problem. `run`: take it in and run the
   * hook's actions. `store`: take it in without running them
   */
  takeIn?: "none" | "store" | "run" | undefined;
  /** The same as for a search. Omitted: the one that this hook used last */
  credentialId?: string | undefined;
  /**
   * For GitHub and GitLab: the address of the webhook's page there, or its path in the API.
   * Omitted: the last one
   */
  webhook?: string | undefined;
});

export type CreateActionInput = ({
  id: string;
}) & ({
  /** The name in lists, runs, and alerts */
  name: string;
  enabled?: boolean | undefined;
  position?: number | undefined;
  filter?: DeliveryFilter | null | undefined;
  retry?: RetryPolicy | undefined;
  success?: SuccessRule | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  breaker?: Breaker | null | undefined;
  order?: RunOrder | null | undefined;
  timeoutMs?: number | undefined;
  maxConcurrency?: number | null | undefined;
  /** The only call of the action. An action has this or `steps` */
  request?: RequestTemplate | undefined;
  steps?: readonly (Step)[] | undefined;
});

export type ListActionsInput = {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetActionInput = {
  id: string;
};

export type UpdateActionInput = ({
  id: string;
}) & ({
  /** The name in lists, runs, and alerts */
  name?: string | undefined;
  enabled?: boolean | undefined;
  position?: number | undefined;
  filter?: DeliveryFilter | null | undefined;
  /** The only call of the action. An action has this or `steps` */
  request?: RequestTemplate | undefined;
  steps?: readonly (Step)[] | undefined;
  retry?: RetryPolicy | undefined;
  success?: SuccessRule | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  breaker?: Breaker | null | undefined;
  order?: RunOrder | null | undefined;
  timeoutMs?: number | undefined;
  maxConcurrency?: number | null | undefined;
  version?: number | undefined;
  /** Why, in your words. The list of versions shows it */
  note?: string | undefined;
});

export type DeleteActionInput = {
  id: string;
};

export type PreviewActionInput = ({
  id: string;
}) & ({
  /** The delivery to use, unless `payload` is there */
  deliveryId?: string | undefined;
  /** A payload of your own instead of a delivery */
  payload?: unknown | undefined;
  /** The headers that come with `payload` */
  headers?: {
    [name: string]: string;
  } | undefined;
  /** The key of the step to show, for an action with several */
  step?: string | undefined;
  /** The number of the item, from 0, for a step with `forEach` */
  item?: number | undefined;
});

export type CloseActionBreakerInput = {
  id: string;
};

export type DuplicateActionInput = ({
  id: string;
}) & ({
  /** The hook that gets the copy. Omitted: the same one */
  hookId?: string | undefined;
  /** The name of the copy. Omitted: the action's, with "(copy)" */
  name?: string | undefined;
});

export type ExportActionInput = {
  id: string;
};

export type ImportActionInput = ({
  id: string;
}) & ({
  /** Marks the document as an exported action */
  format: "catchment.action/1";
  /** The name of the new action */
  name: string;
  filter?: DeliveryFilter | null | undefined;
  retry?: RetryPolicy | undefined;
  success?: SuccessRule | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  breaker?: Breaker | null | undefined;
  order?: RunOrder | null | undefined;
  timeoutMs?: number | undefined;
  maxConcurrency?: number | null | undefined;
  /** The only call of the action. It has this or `steps` */
  request?: RequestTemplate | null | undefined;
  steps?: readonly (Step)[] | null | undefined;
  /**
   * The kinds of the exported action's credentials, by the key of the call. The document has
   * no secrets
   */
  credentials?: {
    [name: string]: {
      type: string;
      name?: string | undefined;
      changed?: true | undefined;
    };
  } | undefined;
});

export type ListActionVersionsInput = {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetActionVersionInput = {
  id: string;
  number: string;
  /** The number of the version to compare with. Omitted: the version before */
  against?: string | undefined;
};

export type RestoreActionVersionInput = {
  id: string;
  number: string;
};

export type CreateCredentialInput = {
  /** The name in lists and in the editor of actions */
  name: string;
  origin: string;
  auth: CredentialAuth;
};

export type ListCredentialsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetCredentialInput = {
  id: string;
};

export type UpdateCredentialInput = ({
  id: string;
}) & ({
  /** The name in lists and in the editor of actions */
  name?: string | undefined;
  auth?: CredentialAuth | undefined;
});

export type DeleteCredentialInput = {
  id: string;
};

export type CreateDestinationInput = {
  /** The name in lists and in the editor of actions */
  name: string;
  origin: string;
  credentialId?: string | null | undefined;
  maxConcurrency?: number | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  breaker?: Breaker | null | undefined;
};

export type ListDestinationsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetDestinationInput = {
  id: string;
};

export type UpdateDestinationInput = ({
  id: string;
}) & ({
  /** The name in lists and in the editor of actions */
  name?: string | undefined;
  origin?: string | undefined;
  credentialId?: string | null | undefined;
  maxConcurrency?: number | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  breaker?: Breaker | null | undefined;
});

export type DeleteDestinationInput = {
  id: string;
};

export type BacktestActionInput = ({
  id: string;
}) & ({
  /** The fields of the action that would change */
  draft?: {
    /** The name in lists, runs, and alerts */
    name?: string | undefined;
    enabled?: boolean | undefined;
    position?: number | undefined;
    filter?: DeliveryFilter | null | undefined;
    /** The only call of the action. An action has this or `steps` */
    request?: RequestTemplate | undefined;
    steps?: readonly (Step)[] | undefined;
    retry?: RetryPolicy | undefined;
    success?: SuccessRule | null | undefined;
    rateLimit?: RateLimit | null | undefined;
    breaker?: Breaker | null | undefined;
    order?: RunOrder | null | undefined;
    timeoutMs?: number | undefined;
    maxConcurrency?: number | null | undefined;
    version?: number | undefined;
  } | undefined;
  /** A saved version to try instead of a draft */
  version?: number | undefined;
  /** The version to compare with. Omitted: the one in force */
  against?: number | undefined;
  /** How many of the newest deliveries to use, within the time range if there is one */
  last?: number | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /**
   * The response to assume for a call that no real run has made, by the key of the step:
   * `{status, headers, body}`
   */
  responses?: {
    [name: string]: {
      status: number;
      headers?: {
        [name: string]: string;
      } | undefined;
      body?: unknown | undefined;
    };
  } | undefined;
});

export type ListBacktestsInput = {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type BacktestNewActionInput = ({
  id: string;
}) & ({
  /** The action, as `POST /hooks/{id}/actions` takes it */
  draft: {
    /** The name in lists, runs, and alerts */
    name: string;
    enabled?: boolean | undefined;
    position?: number | undefined;
    filter?: DeliveryFilter | null | undefined;
    retry?: RetryPolicy | undefined;
    success?: SuccessRule | null | undefined;
    rateLimit?: RateLimit | null | undefined;
    breaker?: Breaker | null | undefined;
    order?: RunOrder | null | undefined;
    timeoutMs?: number | undefined;
    maxConcurrency?: number | null | undefined;
    /** The only call of the action. An action has this or `steps` */
    request?: RequestTemplate | undefined;
    steps?: readonly (Step)[] | undefined;
  };
  /** How many of the newest deliveries to use, within the time range if there is one */
  last?: number | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /**
   * The response to assume for a call that no real run has made, by the key of the step:
   * `{status, headers, body}`
   */
  responses?: {
    [name: string]: {
      status: number;
      headers?: {
        [name: string]: string;
      } | undefined;
      body?: unknown | undefined;
    };
  } | undefined;
});

export type GetBacktestInput = {
  id: string;
};

export type ListBacktestResultsInput = {
  id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only deliveries that the action would run, skip, or fail for */
  outcome?: "run" | "skip" | "fail" | undefined;
  /** True: only results that differ from those of the version compared with. False: only others */
  changed?: "true" | "false" | undefined;
};

export type CancelBacktestInput = {
  id: string;
};

export type ListDeliveriesInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only deliveries of this hook */
  hookId?: string | undefined;
  /** Only deliveries of this event type */
  eventType?: string | undefined;
  /** Only deliveries with this event id */
  eventId?: string | undefined;
  q?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /** Only deliveries of this status */
  status?: "accepted" | "duplicate" | "rejected" | "pending" | "handshake" | "batch" | undefined;
  ids?: string | undefined;
  runs?: "failed" | undefined;
  batchId?: string | undefined;
  isSample?: "true" | "false" | undefined;
};

export type ExportDeliveriesInput = {
  /** Only deliveries of this hook */
  hookId?: string | undefined;
  /** Only deliveries of this event type */
  eventType?: string | undefined;
  /** Only deliveries with this event id */
  eventId?: string | undefined;
  q?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /** Only deliveries of this status */
  status?: "accepted" | "duplicate" | "rejected" | "pending" | "handshake" | "batch" | undefined;
  ids?: string | undefined;
  runs?: "failed" | undefined;
  batchId?: string | undefined;
  isSample?: "true" | "false" | undefined;
};

export type GetDeliveryInput = {
  id: string;
};

export type DeleteDeliveryInput = {
  id: string;
};

export type AcceptDeliveryInput = {
  id: string;
};

export type AcceptDeliveriesInput = {
  filter: {
    /** Only deliveries of this hook */
    hookId?: string | undefined;
    /** Only deliveries of this event type */
    eventType?: string | undefined;
    /** Only deliveries with this event id */
    eventId?: string | undefined;
    q?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    from?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    to?: string | undefined;
    /** Only these can be accepted later */
    status: "rejected";
    isSample?: boolean | undefined;
  };
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
};

export type ReplayDeliveryInput = ({
  id: string;
}) & ({
  actionIds?: readonly (string)[] | undefined;
});

export type ReplayDeliveriesInput = {
  filter: {
    /** The hook whose deliveries to replay */
    hookId: string;
    /** Only deliveries of this type */
    eventType?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    from?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    to?: string | undefined;
  };
  actionIds?: readonly (string)[] | undefined;
  as?: "now" | "then" | undefined;
  onlyMissing?: boolean | undefined;
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
  dryRun?: boolean | undefined;
};

export type ExplainDeliveryInput = {
  id: string;
  /** The action to explain. Omitted: each action of the hook */
  actionId?: string | undefined;
};

export type DiagnoseDeliveryInput = {
  id: string;
};

export type OpenListenerInput = {
  name?: string | undefined;
  host: string;
  hookIds?: readonly (string)[] | undefined;
  /** Which deliveries of its hooks to hear */
  filter?: {
    /** The event types to hear. Empty: all */
    eventTypes?: readonly (string)[] | undefined;
  } | undefined;
  from?: "last" | "now" | string | undefined;
  share?: boolean | undefined;
  /** What the program responds is what the provider of its hooks gets */
  reply?: boolean | undefined;
};

export type ListListenersInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only listeners that hear this hook */
  hookId?: string | undefined;
};

export type GetListenerInput = {
  id: string;
};

export type DeleteListenerInput = {
  id: string;
};

export type PollDeliveriesInput = {
  id: string;
  /** The `connectionId` that `POST /listeners` returned */
  connection: string;
  cursor?: string | undefined;
  limit?: number | undefined;
  /** How many seconds to wait for a delivery, if there is none */
  wait?: number | undefined;
};

export type HandOverDeliveriesInput = ({
  id: string;
}) & ({
  /** The deliveries to hear again */
  deliveryIds: readonly (string)[];
});

export type AcknowledgeDeliveriesInput = ({
  id: string;
}) & ({
  /** The `connectionId` that `POST /listeners` returned */
  connection: string;
  /** The deliveries that are done. Empty: your program is still there */
  acks: readonly ({
    /** The `cursor` of the delivery that is done */
    cursor: string;
    /** The status that your program responded with */
    status?: number | undefined;
    /** The headers of its response, as pairs of name and value */
    headers?: readonly (readonly [string, string])[] | undefined;
    /** The body of its response in base64, at most 64 KiB */
    bodyBase64?: string | undefined;
    /** The size of the whole body, of which `bodyBase64` may have the beginning */
    bodyBytes?: number | undefined;
    /** How many milliseconds the response took */
    ms?: number | undefined;
  })[];
});

export type ListResponsesInput = {
  id: string;
};

export type DisconnectListenerInput = {
  id: string;
  connectionId: string;
};

export type ListRunsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only runs of this hook */
  hookId?: string | undefined;
  /** Only runs of this action */
  actionId?: string | undefined;
  /** Only sends of this subscription */
  subscriptionId?: string | undefined;
  jobId?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  reason?: string | undefined;
  q?: string | undefined;
  ids?: string | undefined;
  /** Only runs on this delivery */
  deliveryId?: string | undefined;
  /** Only runs for this event, by the id that its publisher set */
  eventId?: string | undefined;
  /** Only runs of this status */
  status?:
    | "queued"
    | "running"
    | "retrying"
    | "succeeded"
    | "failed"
    | "skipped"
    | "cancelled"
    | "held" | undefined;
};

export type ExportRunsInput = {
  /** Only runs of this hook */
  hookId?: string | undefined;
  /** Only runs of this action */
  actionId?: string | undefined;
  /** Only sends of this subscription */
  subscriptionId?: string | undefined;
  jobId?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  reason?: string | undefined;
  q?: string | undefined;
  ids?: string | undefined;
  /** Only runs on this delivery */
  deliveryId?: string | undefined;
  /** Only runs for this event, by the id that its publisher set */
  eventId?: string | undefined;
  /** Only runs of this status */
  status?:
    | "queued"
    | "running"
    | "retrying"
    | "succeeded"
    | "failed"
    | "skipped"
    | "cancelled"
    | "held" | undefined;
};

export type GetRunInput = {
  id: string;
};

export type RetryRunInput = ({
  id: string;
}) & ({
  /** The key of the first step to repeat. Null: the run continues where it ended */
  fromStep?: string | null | undefined;
});

export type ResolveStepInput = ({
  id: string;
}) & ({
  /** The key of the step. Of an action with one call, its key in the run */
  step: string;
  /** The number of the item, from 0, for a step with `forEach` */
  item?: number | null | undefined;
  /** `repeat` makes the call again. The others say what happened to it */
  as: "repeat" | "succeeded" | "failed";
});

export type CancelRunInput = {
  id: string;
};

export type RetryRunsInput = {
  /** Which runs */
  filter: {
    /** Only runs of this hook */
    hookId?: string | undefined;
    /** Only runs of this action */
    actionId?: string | undefined;
    /** Only sends of this subscription */
    subscriptionId?: string | undefined;
    jobId?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    from?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    to?: string | undefined;
    reason?: string | undefined;
    q?: string | undefined;
    /** Only runs of this status */
    status: "failed" | "cancelled";
  };
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
};

export type CancelRunsInput = {
  /** Which runs */
  filter: {
    /** Only runs of this hook */
    hookId?: string | undefined;
    /** Only runs of this action */
    actionId?: string | undefined;
    /** Only sends of this subscription */
    subscriptionId?: string | undefined;
    jobId?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    from?: string | undefined;
    /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
    to?: string | undefined;
    reason?: string | undefined;
    q?: string | undefined;
    /** Only runs of this status */
    status: "queued" | "retrying" | "held";
  };
};

export type ListFailuresInput = {
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
};

export type MuteFailuresInput = {
  /** The action whose runs fail, or else `subscriptionId` */
  actionId?: string | undefined;
  /** The subscription whose sends fail */
  subscriptionId?: string | undefined;
  reason: string;
};

export type UnmuteFailuresInput = {
  /** The action whose runs fail, or else `subscriptionId` */
  actionId?: string | undefined;
  /** The subscription whose sends fail */
  subscriptionId?: string | undefined;
  reason: string;
};

export type ListAuditEntriesInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Who did it: an id, or a part of the name */
  actor?: string | undefined;
  /** A whole name, or its first words: `hook` finds `hook.created` */
  event?: string | undefined;
  /** Only entries about the thing with this id */
  target?: string | undefined;
  /** Text in the names and ids of targets, and in the changes */
  q?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
};

export type ExportAuditEntriesInput = {
  /** Who did it: an id, or a part of the name */
  actor?: string | undefined;
  /** A whole name, or its first words: `hook` finds `hook.created` */
  event?: string | undefined;
  /** Only entries about the thing with this id */
  target?: string | undefined;
  /** Text in the names and ids of targets, and in the changes */
  q?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
};

export type PutAuditReceiverInput = {
  receiverUrl: string;
  afterSeq?: number | undefined;
};

export type ListProblemsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only problems in this state. `unresolved`: open or acknowledged */
  state?: "open" | "acknowledged" | "resolved" | "unresolved" | undefined;
  /** Only problems of this kind */
  kind?:
    | "action_failing"
    | "rejected"
    | "silence"
    | "shape"
    | "missing_events"
    | "subscription_failing"
    | "audit_failing"
    | "disk"
    | "spool"
    | "archive"
    | "clock"
    | "database"
    | "registration"
    | "quota"
    | "certificate" | undefined;
  /** Only problems of this hook */
  hookId?: string | undefined;
  /** Only problems of this action */
  actionId?: string | undefined;
  /** Only problems of this subscription */
  subscriptionId?: string | undefined;
};

export type GetProblemInput = {
  id: string;
};

export type UpdateProblemInput = ({
  id: string;
}) & ({
  /** The id of the member who takes care of it. Null: no one */
  assigneeId?: string | null | undefined;
  /** For the others, at most 2,000 characters. Null: none */
  comment?: string | null | undefined;
});

export type ListProblemAlertsInput = {
  id: string;
};

export type AcknowledgeProblemInput = {
  id: string;
};

export type ResolveProblemInput = {
  id: string;
};

export type CreateAlertChannelInput =
  | {
      /** The name in lists, rules, and problems */
      name: string;
      /** The kinds of problems that it is told about. Omitted: all if it is the first, or else none */
      problems?: readonly (
        | "action_failing"
        | "rejected"
        | "silence"
        | "shape"
        | "missing_events"
        | "subscription_failing"
        | "audit_failing"
        | "disk"
        | "spool"
        | "archive"
        | "clock"
        | "database"
        | "registration"
        | "quota"
        | "certificate")[] | undefined;
      kind: "email";
      to: string;
    }
  | {
      /** The name in lists, rules, and problems */
      name: string;
      /** The kinds of problems that it is told about. Omitted: all if it is the first, or else none */
      problems?: readonly (
        | "action_failing"
        | "rejected"
        | "silence"
        | "shape"
        | "missing_events"
        | "subscription_failing"
        | "audit_failing"
        | "disk"
        | "spool"
        | "archive"
        | "clock"
        | "database"
        | "registration"
        | "quota"
        | "certificate")[] | undefined;
      kind: "slack" | "discord" | "teams";
      url: string;
    }
  | {
      /** The name in lists, rules, and problems */
      name: string;
      /** The kinds of problems that it is told about. Omitted: all if it is the first, or else none */
      problems?: readonly (
        | "action_failing"
        | "rejected"
        | "silence"
        | "shape"
        | "missing_events"
        | "subscription_failing"
        | "audit_failing"
        | "disk"
        | "spool"
        | "archive"
        | "clock"
        | "database"
        | "registration"
        | "quota"
        | "certificate")[] | undefined;
      kind: "pagerduty";
      routingKey: string;
      url?: string | undefined;
    }
  | {
      /** The name in lists, rules, and problems */
      name: string;
      /** The kinds of problems that it is told about. Omitted: all if it is the first, or else none */
      problems?: readonly (
        | "action_failing"
        | "rejected"
        | "silence"
        | "shape"
        | "missing_events"
        | "subscription_failing"
        | "audit_failing"
        | "disk"
        | "spool"
        | "archive"
        | "clock"
        | "database"
        | "registration"
        | "quota"
        | "certificate")[] | undefined;
      kind: "url";
      url: string;
    };

export type ListAlertChannelsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetAlertChannelInput = {
  id: string;
};

export type UpdateAlertChannelInput = ({
  id: string;
}) & ({
  /** The name in lists, rules, and problems */
  name?: string | undefined;
  to?: string | undefined;
  url?: string | undefined;
  routingKey?: string | undefined;
});

export type DeleteAlertChannelInput = {
  id: string;
};

export type TestAlertChannelInput = {
  id: string;
};

export type CreateAlertRuleInput = {
  kind:
    | "action_failing"
    | "rejected"
    | "silence"
    | "shape"
    | "missing_events"
    | "subscription_failing"
    | "audit_failing"
    | "disk"
    | "spool"
    | "archive"
    | "clock"
    | "database"
    | "registration"
    | "quota"
    | "certificate";
  threshold?: number | undefined;
  withinSeconds?: number | undefined;
  channelIds: readonly (string)[];
  quietHours?:
    | {
        /** When they begin, such as `22:00` */
        from: string;
        /** When they end. Before `from`: on the next day */
        to: string;
        /** The IANA time zone of both, such as `Europe/Berlin` */
        timeZone: string;
        /** True: Saturdays and Sundays are quiet as a whole */
        weekends?: boolean | undefined;
      }
    | null | undefined;
  digest?: "off" | "hourly" | "daily" | undefined;
  remindMinutes?: number | null | undefined;
  /** False: it tells no one */
  enabled?: boolean | undefined;
};

export type ListAlertRulesInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetAlertRuleInput = {
  id: string;
};

export type UpdateAlertRuleInput = ({
  id: string;
}) & ({
  threshold?: number | undefined;
  withinSeconds?: number | undefined;
  channelIds?: readonly (string)[] | undefined;
  quietHours?:
    | {
        /** When they begin, such as `22:00` */
        from: string;
        /** When they end. Before `from`: on the next day */
        to: string;
        /** The IANA time zone of both, such as `Europe/Berlin` */
        timeZone: string;
        /** True: Saturdays and Sundays are quiet as a whole */
        weekends?: boolean | undefined;
      }
    | null | undefined;
  digest?: "off" | "hourly" | "daily" | undefined;
  remindMinutes?: number | null | undefined;
  /** False: it tells no one */
  enabled?: boolean | undefined;
});

export type DeleteAlertRuleInput = {
  id: string;
};

export type ListBulkJobsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetBulkJobInput = {
  id: string;
};

export type CancelBulkJobInput = {
  id: string;
};

export type PauseBulkJobInput = {
  id: string;
};

export type ResumeBulkJobInput = {
  id: string;
};

export type CreateSavedViewInput = {
  list: "deliveries" | "runs";
  name: string;
  params: {
    [name: string]: string;
  };
};

export type ListSavedViewsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only views of this list */
  list?: "deliveries" | "runs" | undefined;
};

export type GetSavedViewInput = {
  id: string;
};

export type UpdateSavedViewInput = ({
  id: string;
}) & ({
  name?: string | undefined;
  params?: {
    [name: string]: string;
  } | undefined;
});

export type DeleteSavedViewInput = {
  id: string;
};

export type SetDefaultViewInput = ({
  id: string;
}) & ({
  /** True: the list opens with it for everyone. False: it no longer does */
  isDefault: boolean;
});

export type PublishEventInput = {
  /** The event type, such as `invoice.paid` */
  type: string;
  /** Any JSON. Receivers get its exact bytes */
  data: unknown;
  /** Your own id of the event. A second event with it isn't published. Null: a new one */
  id?: string | null | undefined;
  /** The customer whose subscriptions get it. Null: subscriptions without a recipient */
  recipient?: string | null | undefined;
  /** When it happened, in ISO 8601. Null: now */
  occurredAt?: string | null | undefined;
  /** The version of its type that `data` is in. Null: the newest */
  version?: "first" | string | null | undefined;
};

export type ListEventsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only events of this type */
  type?: string | undefined;
  /** Only events for this recipient */
  recipient?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /** Text in the id, the type, or the first 16 KiB of the body */
  q?: string | undefined;
};

export type PublishEventsInput = {
  /** The events. Each gets a result of its own */
  events: readonly ({
    /** The event type, such as `invoice.paid` */
    type: string;
    /** Any JSON. Receivers get its exact bytes */
    data: unknown;
    /** Your own id of the event. A second event with it isn't published. Null: a new one */
    id?: string | null | undefined;
    /** The customer whose subscriptions get it. Null: subscriptions without a recipient */
    recipient?: string | null | undefined;
    /** When it happened, in ISO 8601. Null: now */
    occurredAt?: string | null | undefined;
    /** The version of its type that `data` is in. Null: the newest */
    version?: "first" | string | null | undefined;
  })[];
};

export type ExportEventsInput = {
  /** Only events of this type */
  type?: string | undefined;
  /** Only events for this recipient */
  recipient?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  from?: string | undefined;
  /** ISO 8601 with a zone, or a date alone, which is midnight UTC */
  to?: string | undefined;
  /** Text in the id, the type, or the first 16 KiB of the body */
  q?: string | undefined;
};

export type GetEventInput = {
  id: string;
};

export type ResendEventInput = ({
  id: string;
}) & ({
  /** The subscriptions that get it. Omitted: every active one that matches now */
  subscriptionIds?: readonly (string)[] | undefined;
  /** Only subscriptions whose newest send of this event failed */
  onlyFailed?: boolean | undefined;
});

export type CreateSubscriptionInput = {
  receiverUrl: string;
  eventTypes?: readonly (string)[] | undefined;
  filter?: EventFilter | null | undefined;
  recipient?: string | null | undefined;
  /** What it is for, in a few words */
  description?: string | null | undefined;
  headers?: {
    [name: string]: string;
  } | undefined;
  rateLimit?: RateLimit | null | undefined;
  maxConcurrency?: number | null | undefined;
  ordered?: boolean | undefined;
  keyPair?: boolean | undefined;
  metadata?: {
    [name: string]: string;
  } | undefined;
  retry?: RetrySchedule | null | undefined;
  /** How long a call may take as a whole, in milliseconds */
  timeoutMs?: number | undefined;
  /**
   * It gets the newest version of each event type up to this date. Or `first`, or `newest` for
   * future versions too
   */
  version?: "first" | "newest" | string | undefined;
  /** The saved credential of its calls, which says what kind of receiver it has. Null: none */
  credentialId?: string | null | undefined;
  /** Settings of a receiver that isn't a URL. Null: the defaults */
  receiver?: ReceiverSettings | null | undefined;
  /** JavaScript that makes an event into the body that is sent. Null: the event itself */
  transform?: string | null | undefined;
  secret?: string | undefined;
};

export type ListSubscriptionsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Only subscriptions of this recipient */
  recipient?: string | undefined;
  /** Only subscriptions of this status */
  status?: "active" | "disabled" | "pending" | undefined;
  /** Only subscriptions that get events of this type */
  eventType?: string | undefined;
  /** Text in the receiver URL, the description, or the recipient */
  q?: string | undefined;
};

export type CheckTransformInput = {
  /** JavaScript that makes an event into the body that is sent */
  transform: string;
  eventTypes?: readonly (string)[] | undefined;
  /** Whose events. Null: events without a recipient */
  recipient?: string | null | undefined;
  filter?: EventFilter | null | undefined;
  /** The version that it gets. Omitted: the newest of all event types */
  version?: "first" | "newest" | string | undefined;
};

export type ExportSubscriptionsInput = {
  /** Only subscriptions of this recipient */
  recipient?: string | undefined;
  /** Only subscriptions of this status */
  status?: "active" | "disabled" | "pending" | undefined;
  /** Only subscriptions that get events of this type */
  eventType?: string | undefined;
  /** Text in the receiver URL, the description, or the recipient */
  q?: string | undefined;
};

export type GetSubscriptionInput = {
  id: string;
};

export type UpdateSubscriptionInput = ({
  id: string;
}) & ({
  receiverUrl?: string | undefined;
  eventTypes?: readonly (string)[] | undefined;
  filter?: EventFilter | null | undefined;
  /** What it is for, in a few words */
  description?: string | null | undefined;
  headers?: {
    [name: string]: string | null;
  } | null | undefined;
  rateLimit?: RateLimit | null | undefined;
  maxConcurrency?: number | null | undefined;
  ordered?: boolean | undefined;
  keyPair?: boolean | undefined;
  metadata?: {
    [name: string]: string;
  } | undefined;
  retry?: RetrySchedule | null | undefined;
  /** How long a call may take as a whole, in milliseconds */
  timeoutMs?: number | undefined;
  /**
   * It gets the newest version of each event type up to this date. Or `first`, or `newest` for
   * future versions too
   */
  version?: "first" | "newest" | string | undefined;
  /** The saved credential of its calls, which says what kind of receiver it has. Null: none */
  credentialId?: string | null | undefined;
  /** Settings of a receiver that isn't a URL. Null: the defaults */
  receiver?: ReceiverSettings | null | undefined;
  /** JavaScript that makes an event into the body that is sent. Null: the event itself */
  transform?: string | null | undefined;
});

export type DeleteSubscriptionInput = {
  id: string;
};

export type RotateSubscriptionSecretInput = ({
  id: string;
}) & ({
  secret?: string | undefined;
  /** How long the previous secrets also sign. 0 ends them now */
  expirePreviousAfterSeconds?: number | undefined;
});

export type SendTestEventInput = ({
  id: string;
}) & ({
  /**
   * The type of the event. Omitted: the subscription's first one that isn't a pattern, or
   * `test.event`
   */
  eventType?: string | undefined;
});

export type EnableSubscriptionInput = {
  id: string;
};

export type DisableSubscriptionInput = {
  id: string;
};

export type RecoverSubscriptionInput = ({
  id: string;
}) & ({
  /** Events from this time on, in ISO 8601 with a zone, or a date alone, which is midnight UTC */
  since: string;
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
});

export type ReplayMissingInput = ({
  id: string;
}) & ({
  /** Events from this time on, in ISO 8601 with a zone, or a date alone, which is midnight UTC */
  since: string;
  /** How many runs to queue in a minute. Null: as many as possible */
  ratePerMinute?: number | null | undefined;
  /** Pauses the job after so many failed runs. Null: never */
  stopAfterFailures?: number | null | undefined;
  /** Queues 5 runs first, waits for them, and pauses if any of them fails */
  trial?: boolean | undefined;
});

export type ListEventTypesInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Text in the name or the description */
  q?: string | undefined;
};

export type ExportEventTypesInput = {
  /** Text in the name or the description */
  q?: string | undefined;
};

export type GetEventTypeInput = {
  name: string;
};

export type PutEventTypeInput = ({
  name: string;
}) & ({
  /** What it means, for the people who receive it */
  description?: string | null | undefined;
  schema?: unknown | undefined;
  example?: unknown | undefined;
  /** True: the catalog says that it will go away */
  deprecated?: boolean | undefined;
  onMismatch?: "warn" | "reject" | undefined;
});

export type DeleteEventTypeInput = {
  name: string;
};

export type ImportEventTypesInput = {
  /** An OpenAPI 3.1 document: an object, or its text in JSON or YAML */
  document: {
    [name: string]: unknown;
  } | string;
};

export type ListEventTypeVersionsInput = {
  name: string;
};

export type CreateEventTypeVersionInput = ({
  name: string;
}) & ({
  /** A date after that of the version before. Omitted: today, in UTC */
  version?: string | undefined;
  schema?: unknown | undefined;
  example?: unknown | undefined;
  /**
   * JavaScript that makes an event of this version into `data` of the one before. Null:
   * nothing has to change
   */
  transform?: string | null | undefined;
  /** What has changed, for the people who receive it */
  note?: string | null | undefined;
});

export type CheckEventTypeVersionInput = ({
  name: string;
}) & ({
  /** A date after that of the version before. Omitted: today, in UTC */
  version?: string | undefined;
  schema?: unknown | undefined;
  example?: unknown | undefined;
  /**
   * JavaScript that makes an event of this version into `data` of the one before. Null:
   * nothing has to change
   */
  transform?: string | null | undefined;
  /** What has changed, for the people who receive it */
  note?: string | null | undefined;
});

export type UpdateEventTypeVersionInput = ({
  name: string;
  version: string;
}) & ({
  /** From then on, its subscribers get the next version. Null: it stays */
  endsAt?: string | null | undefined;
  /** What has changed, for the people who receive it */
  note?: string | null | undefined;
  /**
   * JavaScript that makes an event of this version into `data` of the one before. Null:
   * nothing has to change
   */
  transform?: string | null | undefined;
});

export type ListRecipientsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Text in the id or the name */
  q?: string | undefined;
};

export type ExportRecipientsInput = {
  /** Text in the id or the name */
  q?: string | undefined;
};

export type GetRecipientInput = {
  id: string;
};

export type PutRecipientInput = ({
  id: string;
}) & ({
  /** The customer's name, for people */
  name?: string | null | undefined;
  /** Up to 50 short texts of your own. Catchment only stores them */
  metadata?: {
    [name: string]: string;
  } | undefined;
  /** How many events it gets. Null: any number */
  quota?: Quota | null | undefined;
});

export type DeleteRecipientInput = {
  id: string;
};

export type ListPortalLinksInput = {
  id: string;
};

export type CreatePortalLinkInput = ({
  id: string;
}) & ({
  /** How long the link works */
  expiresInSeconds?: number | undefined;
  /** What the link allows: secrets and tests are `subscriptions:write`, recovery is `resend` */
  capabilities?: readonly ("subscriptions:read" | "subscriptions:write" | "events:read" | "resend")[] | undefined;
});

export type RevokePortalLinksInput = {
  id: string;
};

export type UpdateSendingInput = {
  portalName?: string | null | undefined;
  portalColor?: string | null | undefined;
  portalLogo?: string | null | undefined;
  portalOrigins?: readonly (string)[] | undefined;
  challengeNewUrls?: boolean | undefined;
  isCatalogPublic?: boolean | undefined;
  signatureHeader?: string | undefined;
  catchmentSignature?: boolean | undefined;
  standardWebhooksHeaders?: boolean | undefined;
};

export type CreateAccountInput = {
  name: string;
  slug: string;
};

export type GetAccountInput = {
  id: string;
};

export type RenameAccountInput = ({
  id: string;
}) & ({
  name: string;
});

export type DeleteAccountInput = ({
  id: string;
}) & ({
  name: string;
});

export type TransferAccountInput = ({
  id: string;
}) & ({
  /** The member who becomes the owner */
  memberId: string;
});

export type ListUsageInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
  /** What a row is of */
  by?: "day" | "hook" | "recipient" | undefined;
  /** Only what belongs to this hook, also a deleted one */
  hookId?: string | undefined;
  /** Only what belongs to this recipient */
  recipient?: string | undefined;
  /** The first day, as a date in UTC. Omitted: 30 days, until today */
  from?: string | undefined;
  /** The day after the last one. Omitted: until today */
  to?: string | undefined;
};

export type ExportUsageInput = {
  /** What a row is of */
  by?: "day" | "hook" | "recipient" | undefined;
  /** Only what belongs to this hook, also a deleted one */
  hookId?: string | undefined;
  /** Only what belongs to this recipient */
  recipient?: string | undefined;
  /** The first day, as a date in UTC. Omitted: 30 days, until today */
  from?: string | undefined;
  /** The day after the last one. Omitted: until today */
  to?: string | undefined;
};

export type CreateErasureInput = {
  /**
   * What names the person, such as an email address and an id. Each is found as a whole, in
   * any case
   */
  values: readonly (string)[];
  /**
   * `redact` puts `[erased]` in place of each value. `delete` removes the deliveries and
   * events that contain one, with their runs, and redacts it elsewhere
   */
  mode?: "redact" | "delete" | undefined;
  /** `true` only counts, and changes nothing */
  dryRun?: boolean | undefined;
  /**
   * `true` leaves a rule for each value at the end, which starts an erasure when the value
   * arrives again. A dry run leaves none
   */
  laterArrivals?: boolean | undefined;
};

export type ListErasuresInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetErasureInput = {
  id: string;
};

export type CancelErasureInput = {
  id: string;
};

export type ListErasureRulesInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type DeleteErasureRuleInput = {
  id: string;
};

export type PutMaskedFieldsInput = {
  /** Such as `**.email` and `data.object.card.*` */
  fields: readonly (string)[];
};

export type GetConfigurationInput = {
  /** With `id`: only this thing. An action with its hook */
  kind?:
    | "alert rule"
    | "alert channel"
    | "subscription"
    | "recipient"
    | "event type"
    | "action"
    | "hook"
    | "destination"
    | "credential" | undefined;
  /** Its id, or the name of an event type */
  id?: string | undefined;
};

export type PlanConfigurationInput = {
  /** All files of the configuration. Their lists count as one */
  files: readonly ({
    /** Its name, which errors show with the line */
    path: string;
    /** Its content: YAML or JSON */
    text: string;
  })[];
  /** Deletes what has the mark of the files and isn't in them any more */
  prune?: boolean | undefined;
  /** How much of what has the mark may be deleted */
  maxPrunePercent?: number | undefined;
};

export type ApplyConfigurationInput = {
  /** All files of the configuration. Their lists count as one */
  files: readonly ({
    /** Its name, which errors show with the line */
    path: string;
    /** Its content: YAML or JSON */
    text: string;
  })[];
  /** Deletes what has the mark of the files and isn't in them any more */
  prune?: boolean | undefined;
  /** How much of what has the mark may be deleted */
  maxPrunePercent?: number | undefined;
  /** The `planId` of the plan of the same files */
  planId: string;
};

export type ReleaseConfigurationInput = {
  /** Such as `hook` */
  kind:
    | "alert rule"
    | "alert channel"
    | "subscription"
    | "recipient"
    | "event type"
    | "action"
    | "hook"
    | "destination"
    | "credential";
  /** Its id, or the name of an event type */
  id: string;
};

export type ListMembersInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetMemberInput = {
  id: string;
};

export type ChangeMemberRoleInput = ({
  id: string;
}) & ({
  role: "viewer" | "member" | "admin" | "owner";
});

export type RemoveMemberInput = {
  id: string;
};

export type InviteMemberInput = {
  email: string;
  role: "viewer" | "member" | "admin" | "owner";
};

export type ListInvitationsInput = {
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type GetInvitationInput = {
  id: string;
};

export type RevokeInvitationInput = {
  id: string;
};

export type ResendInvitationInput = {
  id: string;
};

export interface Client {
  /** Create a hook. Needs the scope `hooks:write`. */
  createHook(input: CreateHookInput, options?: CallOptions): Promise<ChangedHook>;
  /** List hooks. Needs the scope `hooks:read`. */
  listHooks(input?: ListHooksInput, options?: CallOptions): PagePromise<Hook>;
  /** Get a hook. Needs the scope `hooks:read`. */
  getHook(input: GetHookInput, options?: CallOptions): Promise<Hook>;
  /**
   * Change a hook. Changes the given fields. `signingSecret` replaces all secrets at once, and
   * null deletes them. `path` replaces the catch URL, and the one before it works for another
   * day. Needs the scope `hooks:write`.
   */
  updateHook(input: UpdateHookInput, options?: CallOptions): Promise<ChangedHook>;
  /**
   * Delete a hook. Deletes its URL, secrets, deliveries, and runs at once, and cancels what
   * has not run yet. Needs the scope `hooks:write`.
   */
  deleteHook(input: DeleteHookInput, options?: CallOptions): Promise<void>;
  /**
   * Rotate the signing secret. Earlier secrets stay valid for `expirePreviousAfterSeconds`:
   * default 86400, at most 604800, 0 ends them now. Needs the scope `hooks:write`.
   */
  rotateHookSecret(input: RotateHookSecretInput, options?: CallOptions): Promise<ChangedHook>;
  /**
   * Create a new catch URL. It is generated, also if the hook had a `path`. The old one works
   * for `expirePreviousAfterSeconds`: default 86400, at most 2592000, 0 ends it now. Needs the
   * scope `hooks:write`.
   */
  rotateCatchUrl(input: RotateCatchUrlInput, options?: CallOptions): Promise<Hook>;
  /** End all previous catch URLs now. Needs the scope `hooks:write`. */
  endPreviousCatchUrls(input: EndPreviousCatchUrlsInput, options?: CallOptions): Promise<void>;
  /**
   * Pause a hook. Holds its runs. Deliveries are still accepted. Needs the scope
   * `hooks:write`.
   */
  pauseHook(input: PauseHookInput, options?: CallOptions): Promise<Hook>;
  /**
   * Resume a hook. Starts held runs at once. Also enables a disabled hook. Needs the scope
   * `hooks:write`.
   */
  resumeHook(input: ResumeHookInput, options?: CallOptions): Promise<Hook>;
  /**
   * Verify pending deliveries. For a hook that waited for its secret. Returns how many had
   * each outcome. Needs the scope `hooks:write`.
   */
  verifyPending(input: VerifyPendingInput, options?: CallOptions): Promise<PendingVerification>;
  /**
   * Count duplicates that differ as events. Adds the content to the hook's `dedupe`, and
   * accepts the stored duplicates that say something else than the delivery that they repeat,
   * of the newest 5,000, which also needs `deliveries:write`. `acceptStored: false` leaves
   * those as they are. Needs the scope `hooks:write`.
   */
  countDuplicates(input: CountDuplicatesInput, options?: CallOptions): Promise<CountedDuplicates>;
  /**
   * Read the secret that the provider sent. For a day after its handshake. 404 otherwise.
   * Needs the scope `hooks:write`.
   */
  readHandshakeSecret(input: ReadHandshakeSecretInput, options?: CallOptions): Promise<HandshakeSecret>;
  /** Send a signed sample event through the catch URL. Needs the scope `hooks:write`. */
  testHook(input: TestHookInput, options?: CallOptions): Promise<TestDelivery>;
  /**
   * Register a hook at its provider, and keep it so. Creates the webhook at the provider in
   * the background, or adopts the one with this catch URL. Done again, it changes the types,
   * and registers again what someone has deleted there. Needs the scope `hooks:write`.
   */
  registerHook(input: RegisterHookInput, options?: CallOptions): Promise<Registration>;
  /** Get what is known of a hook's webhook at its provider. Needs the scope `hooks:read`. */
  getRegistration(input: GetRegistrationInput, options?: CallOptions): Promise<Registration>;
  /**
   * Remove the webhook at the provider. In the background. With `keep`, Catchment only forgets
   * it. Needs the scope `hooks:write`.
   */
  removeRegistration(input: RemoveRegistrationInput, options?: CallOptions): Promise<void>;
  /**
   * Search for events that never arrived. Asks the provider's own API in the background, and
   * compares. Nothing is taken in. Needs the scope `hooks:write`.
   */
  findGap(input: FindGapInput, options?: CallOptions): Promise<WholeGap>;
  /** List the searches of a hook. Needs the scope `deliveries:read`. */
  listGaps(input: ListGapsInput, options?: CallOptions): PagePromise<Gap>;
  /** Get a search, with what is missing by event type. Needs the scope `deliveries:read`. */
  getGap(input: GetGapInput, options?: CallOptions): Promise<WholeGap>;
  /**
   * Cancel a search. What it has found stays. Rejected with 409 if it has ended. Needs the
   * scope `hooks:write`.
   */
  cancelGap(input: CancelGapInput, options?: CallOptions): Promise<WholeGap>;
  /**
   * Take in what is missing. Stores the missing events as deliveries, in a bulk job of kind
   * `take_in`. Needs the scope `deliveries:write`.
   */
  takeInGap(input: TakeInGapInput, options?: CallOptions): Promise<BulkJob>;
  /** Get how often a hook is searched by itself. Needs the scope `deliveries:read`. */
  getGapSchedule(input: GetGapScheduleInput, options?: CallOptions): Promise<GapSchedule>;
  /**
   * Search by itself for events that never arrived. Every hour or day, from now on. `off` ends
   * it. Needs the scope `hooks:write`.
   */
  putGapSchedule(input: PutGapScheduleInput, options?: CallOptions): Promise<GapSchedule>;
  /**
   * List all providers. All at once, `generic` and `custom` first. Needs the scope
   * `hooks:read`.
   */
  listProviders(input?: Record<string, never>, options?: CallOptions): PagePromise<Provider>;
  /**
   * Create an action. It comes last, unless it has a `position`. Needs the scope
   * `hooks:write`.
   */
  createAction(input: CreateActionInput, options?: CallOptions): Promise<Action>;
  /**
   * List the actions of a hook. Newest first, whatever their `position`. Needs the scope
   * `hooks:read`.
   */
  listActions(input: ListActionsInput, options?: CallOptions): PagePromise<Action>;
  /** Get an action. Needs the scope `hooks:read`. */
  getAction(input: GetActionInput, options?: CallOptions): Promise<WholeAction>;
  /**
   * Change an action. Changes the given fields. `request`, `steps`, and `retry` are replaced
   * completely, except for credentials that a call omits. `note` says why, for the version
   * that the change makes. Needs the scope `hooks:write`.
   */
  updateAction(input: UpdateActionInput, options?: CallOptions): Promise<Action>;
  /**
   * Delete an action. Deletes its credentials, cancels its open runs, and keeps its history.
   * Needs the scope `hooks:write`.
   */
  deleteAction(input: DeleteActionInput, options?: CallOptions): Promise<void>;
  /**
   * Show what an action would send. Sends nothing. For a delivery, which also needs the scope
   * `deliveries:read`, or for a made-up `payload` with `headers`. With several steps, `step`
   * is the key of one, and `item` the number of an item, from 0. Needs the scope `hooks:read`.
   */
  previewAction(input: PreviewActionInput, options?: CallOptions): Promise<ActionPreview>;
  /**
   * Close the breaker of an action. Starts the runs that it holds. Also releases an action
   * that is held. Needs the scope `hooks:write`.
   */
  closeActionBreaker(input: CloseActionBreakerInput, options?: CallOptions): Promise<BreakerState>;
  /**
   * Duplicate an action. With its credentials, to the same hook or to `hookId`, under `name`
   * or its name with "(copy)". The copy is disabled. Needs the scope `hooks:write`.
   */
  duplicateAction(input: DuplicateActionInput, options?: CallOptions): Promise<Action>;
  /**
   * Export an action. As a document without secrets, to import into another hook. Needs the
   * scope `hooks:read`.
   */
  exportAction(input: ExportActionInput, options?: CallOptions): Promise<ExportedAction>;
  /**
   * Import an action. Creates an exported action, disabled. Says which calls need credentials,
   * and which come without their destination. At most 1 MiB. Needs the scope `hooks:write`.
   */
  importAction(input: ImportActionInput, options?: CallOptions): Promise<ImportedAction>;
  /** List the versions of an action. Newest first. Needs the scope `hooks:read`. */
  listActionVersions(input: ListActionVersionsInput, options?: CallOptions): PagePromise<ActionVersion>;
  /**
   * Get a version of an action. With its `content`, and its `changes` against the version
   * before, or against the one that `against` names. Needs the scope `hooks:read`.
   */
  getActionVersion(input: GetActionVersionInput, options?: CallOptions): Promise<WholeActionVersion>;
  /**
   * Restore a version of an action. The action does again what it did then: a new version.
   * Says which calls need their credentials again. Needs the scope `hooks:write`.
   */
  restoreActionVersion(input: RestoreActionVersionInput, options?: CallOptions): Promise<RestoredAction>;
  /**
   * Create a credential. Its secrets are stored encrypted and never returned. Needs the scope
   * `hooks:write`.
   */
  createCredential(input: CreateCredentialInput, options?: CallOptions): Promise<Credential>;
  /** List credentials. Newest first. Needs the scope `hooks:read`. */
  listCredentials(input?: ListCredentialsInput, options?: CallOptions): PagePromise<Credential>;
  /** Get a credential. Needs the scope `hooks:read`. */
  getCredential(input: GetCredentialInput, options?: CallOptions): Promise<Credential>;
  /**
   * Change a credential. `auth` is replaced as a whole, and the next call on every worker uses
   * it. The origin never changes. Needs the scope `hooks:write`.
   */
  updateCredential(input: UpdateCredentialInput, options?: CallOptions): Promise<Credential>;
  /**
   * Delete a credential. 409 names the actions, destinations, and subscriptions that use it.
   * Needs the scope `hooks:write`.
   */
  deleteCredential(input: DeleteCredentialInput, options?: CallOptions): Promise<void>;
  /** Create a destination. Needs the scope `hooks:write`. */
  createDestination(input: CreateDestinationInput, options?: CallOptions): Promise<Destination>;
  /** List destinations. Newest first. Needs the scope `hooks:read`. */
  listDestinations(input?: ListDestinationsInput, options?: CallOptions): PagePromise<Destination>;
  /** Get a destination. Needs the scope `hooks:read`. */
  getDestination(input: GetDestinationInput, options?: CallOptions): Promise<Destination>;
  /**
   * Change a destination. Changes the given fields. 409 for another `origin` while actions use
   * it. Needs the scope `hooks:write`.
   */
  updateDestination(input: UpdateDestinationInput, options?: CallOptions): Promise<Destination>;
  /** Delete a destination. 409 names the actions that use it. Needs the scope `hooks:write`. */
  deleteDestination(input: DeleteDestinationInput, options?: CallOptions): Promise<void>;
  /**
   * Backtest a change to an action. What the draft omits stays as it is. It runs in the
   * background. Also needs the scope `deliveries:read`. Needs the scope `hooks:write`.
   */
  backtestAction(input: BacktestActionInput, options?: CallOptions): Promise<Backtest>;
  /** List the backtests of an action. Needs the scope `deliveries:read`. */
  listBacktests(input: ListBacktestsInput, options?: CallOptions): PagePromise<Backtest>;
  /**
   * Backtest an action that isn't saved yet. Its `draft` has all fields of an Action. It runs
   * in the background. Also needs the scope `deliveries:read`. Needs the scope `hooks:write`.
   */
  backtestNewAction(input: BacktestNewActionInput, options?: CallOptions): Promise<Backtest>;
  /** Get a backtest. With its progress and counts. Needs the scope `deliveries:read`. */
  getBacktest(input: GetBacktestInput, options?: CallOptions): Promise<Backtest>;
  /**
   * List what a draft would do for each delivery. Newest delivery first. Filters: `outcome`,
   * and `changed` (`true` or `false`). Needs the scope `deliveries:read`.
   */
  listBacktestResults(input: ListBacktestResultsInput, options?: CallOptions): PagePromise<BacktestResult>;
  /**
   * Cancel a backtest. What is done stays. Rejected with 409 if it has ended. Needs the scope
   * `hooks:write`.
   */
  cancelBacktest(input: CancelBacktestInput, options?: CallOptions): Promise<Backtest>;
  /**
   * List deliveries. Without headers, body, payload, and runs. Needs the scope
   * `deliveries:read`.
   */
  listDeliveries(input?: ListDeliveriesInput, options?: CallOptions): PagePromise<Delivery>;
  /**
   * Export deliveries. The filters of the list, as CSV or NDJSON. See
   * [Export](../api.md#export). Needs the scope `deliveries:read`.
   */
  exportDeliveries(input?: ExportDeliveriesInput, options?: CallOptions): AsyncIterable<Delivery>;
  /** Get a delivery. Needs the scope `deliveries:read`. */
  getDelivery(input: GetDeliveryInput, options?: CallOptions): Promise<WholeDelivery>;
  /**
   * Delete a delivery with its runs and attempts. If the same event is sent again, it is still
   * a duplicate. 409 while one of its calls is in flight. Needs the scope `deliveries:write`.
   */
  deleteDelivery(input: DeleteDeliveryInput, options?: CallOptions): Promise<void>;
  /**
   * Accept a rejected delivery that verifies now, and run it. 409 says why it can't be
   * accepted. Needs the scope `deliveries:write`.
   */
  acceptDelivery(input: AcceptDeliveryInput, options?: CallOptions): Promise<WholeDelivery>;
  /**
   * Accept many rejected deliveries. Those that verify now, in the background. The `status` of
   * `filter` is `rejected`. It may have `hookId`, `eventType`, `eventId`, `isSample`, `q`,
   * `from`, and `to`. Needs the scope `deliveries:write`.
   */
  acceptDeliveries(input: AcceptDeliveriesInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Run actions on a delivery again. All enabled actions of its hook, unless `actionIds` names
   * some. Only accepted deliveries and duplicates can be replayed. Needs the scope
   * `deliveries:write`.
   */
  replayDelivery(input: ReplayDeliveryInput, options?: CallOptions): Promise<QueuedRuns>;
  /**
   * Run actions on many deliveries again. In the background and oldest first, by a BulkJob.
   * With `dryRun`, it only says what it would do: `{total, sample, leftOut}`. Needs the scope
   * `deliveries:write`.
   */
  replayDeliveries(input: ReplayDeliveriesInput, options?: CallOptions): Promise<BulkJob | ReplayDryRun>;
  /**
   * Say why an action did or didn't run on a delivery, ran late, or waits. With `?actionId=`:
   * `{actionId, runId, code, sentence}`, also of a deleted action. Without it: `{data}` with
   * all actions of the hook. Needs the scope `deliveries:read`.
   */
  explainDelivery(input: ExplainDeliveryInput, options?: CallOptions): Promise<Why | {
    data: (Why)[];
  }>;
  /**
   * Say why the signature of a delivery doesn't match. Changes nothing. A POST, because it is
   * expensive. Needs the scope `deliveries:read`.
   */
  diagnoseDelivery(input: DiagnoseDeliveryInput, options?: CallOptions): Promise<Diagnosis>;
  /**
   * Connect a program that hears deliveries. Yours with this `name` continues where it was, on
   * any machine. 409 says who is connected as it. Needs the scope `deliveries:read`.
   */
  openListener(input: OpenListenerInput, options?: CallOptions): Promise<NewListener>;
  /**
   * List listeners. Newest first. With `?hookId=`: those that hear this hook. Needs the scope
   * `deliveries:read`.
   */
  listListeners(input?: ListListenersInput, options?: CallOptions): PagePromise<Listener>;
  /** Get a listener. Needs the scope `deliveries:read`. */
  getListener(input: GetListenerInput, options?: CallOptions): Promise<Listener>;
  /**
   * Delete a listener. Its connections end. Admins may delete anyone's. Needs the scope
   * `deliveries:read`.
   */
  deleteListener(input: DeleteListenerInput, options?: CallOptions): Promise<void>;
  /**
   * Hear deliveries by asking for them. Waits up to `wait` seconds (≤ 25) for some. `cursor`
   * is the last one you have. Needs the scope `deliveries:read`.
   */
  pollDeliveries(input: PollDeliveriesInput, options?: CallOptions): PagePromise<Frame>;
  /**
   * Hear deliveries again. After those that wait. Accepted deliveries and duplicates. Needs
   * the scope `deliveries:read`.
   */
  handOverDeliveries(input: HandOverDeliveriesInput, options?: CallOptions): Promise<{
    count: number;
  }>;
  /**
   * Say what you are done with, and that you are there. At least every 15 s. `acks` may be
   * empty. Needs the scope `deliveries:read`.
   */
  acknowledgeDeliveries(input: AcknowledgeDeliveriesInput, options?: CallOptions): Promise<{
    acknowledged: number;
    /** Cursors that weren't open: acknowledged before, or handed over again */
    unknown: (string)[];
  }>;
  /**
   * List what listeners responded to a delivery. The latest response through each listener of
   * the last 7 days, newest first. Needs the scope `deliveries:read`.
   */
  listResponses(input: ListResponsesInput, options?: CallOptions): Promise<{
    data: (ListenerResponse)[];
  }>;
  /**
   * Disconnect a program. Another one can connect at once, and gets what this one hasn't
   * acknowledged. Admins may disconnect anyone's. Needs the scope `deliveries:read`.
   */
  disconnectListener(input: DisconnectListenerInput, options?: CallOptions): Promise<void>;
  /** List runs. Without their attempts. Needs the scope `deliveries:read`. */
  listRuns(input?: ListRunsInput, options?: CallOptions): PagePromise<Run>;
  /**
   * Export runs. The filters of the list, as CSV or NDJSON. See [Export](../api.md#export).
   * Needs the scope `deliveries:read`.
   */
  exportRuns(input?: ExportRunsInput, options?: CallOptions): AsyncIterable<Run>;
  /** Get a run. With its attempts, at most 500. Needs the scope `deliveries:read`. */
  getRun(input: GetRunInput, options?: CallOptions): Promise<WholeRun>;
  /**
   * Run it now. A run that has ended gets all attempts of its policy again, and a waiting one
   * stops waiting. With steps, it continues where it ended. `fromStep` is the key of a step:
   * that one and all after it are done again, with the same `Idempotency-Key`s. Needs the
   * scope `deliveries:write`.
   */
  retryRun(input: RetryRunInput, options?: CallOptions): Promise<ChangedRun>;
  /**
   * Say what happened to a call whose outcome a crash hid. `as` is `repeat`, `succeeded`, or
   * `failed`. The run continues once all its calls that wait are decided. Needs the scope
   * `deliveries:write`.
   */
  resolveStep(input: ResolveStepInput, options?: CallOptions): Promise<ChangedRun>;
  /**
   * Cancel an unfinished run. The result of an attempt in flight changes nothing. Needs the
   * scope `deliveries:write`.
   */
  cancelRun(input: CancelRunInput, options?: CallOptions): Promise<ChangedRun>;
  /**
   * Retry many runs. In the background. The `status` of `filter` is `failed` or `cancelled`.
   * With `trial`, 5 runs go first, and the job pauses if any of them fails. Needs the scope
   * `deliveries:write`.
   */
  retryRuns(input: RetryRunsInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Cancel many runs. In the background. The `status` of `filter` is `queued`, `retrying`, or
   * `held`. Needs the scope `deliveries:write`.
   */
  cancelRuns(input: CancelRunsInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Group failed runs. By action or subscription and reason, for the last 7 days or between
   * `from` and `to`: at most 100 groups, those with most runs first, muted ones last. Needs
   * the scope `deliveries:read`.
   */
  listFailures(input?: ListFailuresInput, options?: CallOptions): Promise<FailureList>;
  /**
   * Mute a group of failures. Until it is unmuted, or the action or subscription changes. Its
   * runs stay as they are. Needs the scope `deliveries:write`.
   */
  muteFailures(input: MuteFailuresInput, options?: CallOptions): Promise<void>;
  /** Unmute a group of failures. Needs the scope `deliveries:write`. */
  unmuteFailures(input: UnmuteFailuresInput, options?: CallOptions): Promise<void>;
  /**
   * List the entries of the audit log. Newest first. `?actor=` is an id or a part of a name,
   * `?event=` an event or its first words, `?target=` an id, and `?q=` finds text in targets
   * and changes. `?from=` and `?to=` limit the time. Needs the scope `audit:read`.
   */
  listAuditEntries(input?: ListAuditEntriesInput, options?: CallOptions): PagePromise<AuditEntry>;
  /**
   * Export the audit log. The filters of the list, as CSV or NDJSON. See
   * [Export](../api.md#export). Needs the scope `audit:read`.
   */
  exportAuditEntries(input?: ExportAuditEntriesInput, options?: CallOptions): AsyncIterable<AuditEntry>;
  /** Get the receiver of the audit log. Needs the scope `audit:read`. */
  getAuditReceiver(input?: Record<string, never>, options?: CallOptions): Promise<AuditReceiver>;
  /**
   * Send the audit log to a URL. From the entry of this change on, or from the one after
   * `afterSeq`. A receiver that is there already is changed and keeps its secret. What it
   * hasn't accepted yet is sent at once. Needs the scope `audit:write`.
   */
  putAuditReceiver(input: PutAuditReceiverInput, options?: CallOptions): Promise<NewAuditReceiver>;
  /** Stop sending the audit log. Needs the scope `audit:write`. */
  deleteAuditReceiver(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  /**
   * Sign the audit log with a new secret. At once. What the receiver rejects until it knows
   * the secret is sent again. Needs the scope `audit:write`.
   */
  rotateAuditReceiverSecret(input?: Record<string, never>, options?: CallOptions): Promise<NewAuditReceiver>;
  /**
   * List problems. Newest first. `?state=` is `open`, `acknowledged`, `resolved`, or
   * `unresolved`. `?kind=`, `?hookId=`, `?actionId=`, and `?subscriptionId=` limit it further.
   * Needs the scope `deliveries:read`.
   */
  listProblems(input?: ListProblemsInput, options?: CallOptions): PagePromise<Problem>;
  /** Get a problem. Needs the scope `deliveries:read`. */
  getProblem(input: GetProblemInput, options?: CallOptions): Promise<Problem>;
  /**
   * Assign a problem, or comment on it. Changes the given fields. Null: no one takes care of
   * it, or there is no comment. Needs the scope `deliveries:write`.
   */
  updateProblem(input: UpdateProblemInput, options?: CallOptions): Promise<Problem>;
  /**
   * List the messages about a problem. Oldest first, with each attempt. Needs the scope
   * `deliveries:read`.
   */
  listProblemAlerts(input: ListProblemAlertsInput, options?: CallOptions): Promise<{
    data: (Alert)[];
  }>;
  /**
   * Acknowledge a problem. Stops reminders. It is still resolved when it is over. Needs the
   * scope `deliveries:write`.
   */
  acknowledgeProblem(input: AcknowledgeProblemInput, options?: CallOptions): Promise<Problem>;
  /**
   * Resolve a problem. If it happens again, another one opens. Needs the scope
   * `deliveries:write`.
   */
  resolveProblem(input: ResolveProblemInput, options?: CallOptions): Promise<Problem>;
  /**
   * Add an alert channel. `problems` are the kinds that it is told about: their rules name it
   * too, and a kind without rules gets one. Without `problems`, the first channel is told
   * about all kinds, and others about none. Needs the scope `alerts:write`.
   */
  createAlertChannel(input: CreateAlertChannelInput, options?: CallOptions): Promise<NewAlertChannel>;
  /** List alert channels. Newest first. Needs the scope `alerts:read`. */
  listAlertChannels(input?: ListAlertChannelsInput, options?: CallOptions): PagePromise<AlertChannel>;
  /** Get an alert channel. Needs the scope `alerts:read`. */
  getAlertChannel(input: GetAlertChannelInput, options?: CallOptions): Promise<AlertChannel>;
  /**
   * Change an alert channel. Changes the given fields. The kind never changes. Needs the scope
   * `alerts:write`.
   */
  updateAlertChannel(input: UpdateAlertChannelInput, options?: CallOptions): Promise<AlertChannel>;
  /**
   * Delete an alert channel. Its messages that weren't sent yet are lost. Needs the scope
   * `alerts:write`.
   */
  deleteAlertChannel(input: DeleteAlertChannelInput, options?: CallOptions): Promise<void>;
  /**
   * Send a test message. At once. A message that couldn't be sent is a 200 with `ok` false.
   * Needs the scope `alerts:write`.
   */
  testAlertChannel(input: TestAlertChannelInput, options?: CallOptions): Promise<AlertChannelTest>;
  /** Add an alert rule. Needs the scope `alerts:write`. */
  createAlertRule(input: CreateAlertRuleInput, options?: CallOptions): Promise<AlertRule>;
  /** List alert rules. Newest first. Needs the scope `alerts:read`. */
  listAlertRules(input?: ListAlertRulesInput, options?: CallOptions): PagePromise<AlertRule>;
  /** Get an alert rule. Needs the scope `alerts:read`. */
  getAlertRule(input: GetAlertRuleInput, options?: CallOptions): Promise<AlertRule>;
  /**
   * Change an alert rule. Changes the given fields. The kind never changes. Needs the scope
   * `alerts:write`.
   */
  updateAlertRule(input: UpdateAlertRuleInput, options?: CallOptions): Promise<AlertRule>;
  /** Delete an alert rule. Needs the scope `alerts:write`. */
  deleteAlertRule(input: DeleteAlertRuleInput, options?: CallOptions): Promise<void>;
  /**
   * List bulk jobs. Finished ones are deleted after 30 days, and replays of sent requests with
   * the last of their runs. Needs the scope `deliveries:read`.
   */
  listBulkJobs(input?: ListBulkJobsInput, options?: CallOptions): PagePromise<BulkJob>;
  /** Get a bulk job, with its progress. Needs the scope `deliveries:read`. */
  getBulkJob(input: GetBulkJobInput, options?: CallOptions): Promise<BulkJob>;
  /** Stop a bulk job. What it has changed stays changed. Needs the scope `deliveries:write`. */
  cancelBulkJob(input: CancelBulkJobInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Pause a bulk job. Runs that it has queued continue. One that cancels runs can't be paused.
   * Needs the scope `deliveries:write`.
   */
  pauseBulkJob(input: PauseBulkJobInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Resume a paused bulk job. Earlier failures don't pause it again, and a trial that failed
   * is over. Needs the scope `deliveries:write`.
   */
  resumeBulkJob(input: ResumeBulkJobInput, options?: CallOptions): Promise<BulkJob>;
  /** Save a view. 409 if the list has one with this name. Needs the scope `deliveries:write`. */
  createSavedView(input: CreateSavedViewInput, options?: CallOptions): Promise<SavedView>;
  /**
   * List saved views. Newest first. `?list=` is `deliveries` or `runs`. Needs the scope
   * `deliveries:read`.
   */
  listSavedViews(input?: ListSavedViewsInput, options?: CallOptions): PagePromise<SavedView>;
  /** Get a saved view. Needs the scope `deliveries:read`. */
  getSavedView(input: GetSavedViewInput, options?: CallOptions): Promise<SavedView>;
  /**
   * Change a saved view. `params` is replaced as a whole. The list never changes. Needs the
   * scope `deliveries:write`.
   */
  updateSavedView(input: UpdateSavedViewInput, options?: CallOptions): Promise<SavedView>;
  /** Delete a saved view. Needs the scope `deliveries:write`. */
  deleteSavedView(input: DeleteSavedViewInput, options?: CallOptions): Promise<void>;
  /**
   * Choose the default view. With `true`, the menu opens its list with this view, for
   * everyone. Needs the scope `account:write`.
   */
  setDefaultView(input: SetDefaultViewInput, options?: CallOptions): Promise<SavedView>;
  /**
   * Publish an event. `runs` is the number of sends. The same `id` with the same content: 200
   * with `duplicate: true`, and nothing is sent. With other content: 409. Needs the scope
   * `events:write`.
   */
  publishEvent(input: PublishEventInput, options?: CallOptions): Promise<PublishedEvent>;
  /** List events. Without bodies and sends. Needs the scope `events:read`. */
  listEvents(input?: ListEventsInput, options?: CallOptions): PagePromise<Event>;
  /**
   * Publish 1 to 1,000 events. Returns a result for each. Invalid input anywhere: 400, and
   * nothing is stored. Needs the scope `events:write`.
   */
  publishEvents(input: PublishEventsInput, options?: CallOptions): Promise<{
    /** One result per event, in order */
    events: (PublishedEvent | UnpublishedEvent)[];
  }>;
  /**
   * Export events. The filters of the list, as CSV or NDJSON. See [Export](../api.md#export).
   * Needs the scope `events:read`.
   */
  exportEvents(input?: ExportEventsInput, options?: CallOptions): AsyncIterable<Event>;
  /** Get an event. Needs the scope `events:read`. */
  getEvent(input: GetEventInput, options?: CallOptions): Promise<WholeEvent>;
  /**
   * Send an event again. Default: to all active subscriptions that match it now. `onlyFailed`:
   * to those whose newest send of it failed. Needs the scope `events:write`.
   */
  resendEvent(input: ResendEventInput, options?: CallOptions): Promise<QueuedRuns>;
  /**
   * Create a subscription. The response has its `secret`, which is only shown here and after a
   * rotation. Needs the scope `subscriptions:write`.
   */
  createSubscription(input: CreateSubscriptionInput, options?: CallOptions): Promise<CreatedSubscription>;
  /** List subscriptions. Needs the scope `subscriptions:read`. */
  listSubscriptions(input?: ListSubscriptionsInput, options?: CallOptions): PagePromise<Subscription>;
  /**
   * Try a transform on stored events. On the newest that a subscription would have got. Sends
   * nothing. Needs the scope `events:read`.
   */
  checkTransform(input: CheckTransformInput, options?: CallOptions): Promise<TransformCheck>;
  /**
   * Export subscriptions. The filters of the list, as CSV or NDJSON. See
   * [Export](../api.md#export). Needs the scope `subscriptions:read`.
   */
  exportSubscriptions(input?: ExportSubscriptionsInput, options?: CallOptions): AsyncIterable<Subscription>;
  /** Get a subscription. Needs the scope `subscriptions:read`. */
  getSubscription(input: GetSubscriptionInput, options?: CallOptions): Promise<Subscription>;
  /** Change a subscription. Changes the given fields. Needs the scope `subscriptions:write`. */
  updateSubscription(input: UpdateSubscriptionInput, options?: CallOptions): Promise<UpdatedSubscription>;
  /**
   * Delete a subscription. Deletes its secrets and headers, and cancels its open sends. Its
   * sends are no longer shown. Needs the scope `subscriptions:write`.
   */
  deleteSubscription(input: DeleteSubscriptionInput, options?: CallOptions): Promise<void>;
  /**
   * Rotate the signing secret. Returns the new `secret`. Previous ones sign too for
   * `expirePreviousAfterSeconds`: default 86400, at most 604800, 0 ends them now. Needs the
   * scope `subscriptions:write`.
   */
  rotateSubscriptionSecret(input: RotateSubscriptionSecretInput, options?: CallOptions): Promise<NewSubscription>;
  /**
   * Send a test event to a subscription. Only to this one. Its data is the example of its type
   * in the catalog. Needs the scope `subscriptions:write`.
   */
  sendTestEvent(input: SendTestEventInput, options?: CallOptions): Promise<SentTestEvent>;
  /**
   * Enable a subscription. Starts its held sends. A pending one gets its challenge again, and
   * 409 says why it stays pending. Needs the scope `subscriptions:write`.
   */
  enableSubscription(input: EnableSubscriptionInput, options?: CallOptions): Promise<Subscription>;
  /**
   * Disable a subscription. It gets no events, and its open sends are held. Needs the scope
   * `subscriptions:write`.
   */
  disableSubscription(input: DisableSubscriptionInput, options?: CallOptions): Promise<Subscription>;
  /**
   * Retry the failed sends of a subscription. Those created since `since`, in the background.
   * Needs the scope `subscriptions:write`.
   */
  recoverSubscription(input: RecoverSubscriptionInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * Send a subscription what it was never sent. The events since `since` that match it, oldest
   * first, in the background. Needs the scope `subscriptions:write`.
   */
  replayMissing(input: ReplayMissingInput, options?: CallOptions): Promise<BulkJob>;
  /**
   * List the event types of the catalog. By name. `q` finds text in name and description.
   * Needs the scope `subscriptions:read`.
   */
  listEventTypes(input?: ListEventTypesInput, options?: CallOptions): PagePromise<EventType>;
  /**
   * Export the event types of the catalog. The filters of the list, as CSV or NDJSON. See
   * [Export](../api.md#export). Needs the scope `subscriptions:read`.
   */
  exportEventTypes(input?: ExportEventTypesInput, options?: CallOptions): AsyncIterable<EventType>;
  /** Get an event type. Needs the scope `subscriptions:read`. */
  getEventType(input: GetEventTypeInput, options?: CallOptions): Promise<EventType>;
  /**
   * Create or replace an event type. Omitted fields get their default. Needs the scope
   * `subscriptions:write`.
   */
  putEventType(input: PutEventTypeInput, options?: CallOptions): Promise<EventType>;
  /**
   * Delete an event type. Events of this type can still be published. Needs the scope
   * `subscriptions:write`.
   */
  deleteEventType(input: DeleteEventTypeInput, options?: CallOptions): Promise<void>;
  /**
   * Import event types from an OpenAPI document. Reads the `webhooks` of an OpenAPI 3.1
   * `document`, an object or text in JSON or YAML. Replaces what has the same name. `skipped`
   * says what can't be used, and why. Needs the scope `subscriptions:write`.
   */
  importEventTypes(input: ImportEventTypesInput, options?: CallOptions): Promise<EventTypeImport>;
  /**
   * List the versions of an event type. The newest first. Needs the scope
   * `subscriptions:read`.
   */
  listEventTypeVersions(input: ListEventTypeVersionsInput, options?: CallOptions): Promise<EventTypeVersions>;
  /**
   * Publish a version of an event type. It is the newest from then on: events that name no
   * version are in it. If it breaks receivers of the version before, `transform` is required,
   * and tried on `example`. Needs the scope `subscriptions:write`.
   */
  createEventTypeVersion(input: CreateEventTypeVersionInput, options?: CallOptions): Promise<EventTypeVersion>;
  /**
   * Check a version without publishing it. Compares its schema with the one before, tries it
   * on stored events, and runs the transform. Needs the scope `subscriptions:read`.
   */
  checkEventTypeVersion(input: CheckEventTypeVersionInput, options?: CallOptions): Promise<EventTypeVersionCheck>;
  /**
   * End a version, or change its note or transform. Its schema and example stay, because
   * subscribers rely on them. Needs the scope `subscriptions:write`.
   */
  updateEventTypeVersion(input: UpdateEventTypeVersionInput, options?: CallOptions): Promise<EventTypeVersion>;
  /**
   * List recipients. By id, numbers by their value. `q` finds text in id and name. Needs the
   * scope `subscriptions:read`.
   */
  listRecipients(input?: ListRecipientsInput, options?: CallOptions): PagePromise<Recipient>;
  /**
   * Export recipients. The filters of the list, as CSV or NDJSON. See
   * [Export](../api.md#export). Needs the scope `subscriptions:read`.
   */
  exportRecipients(input?: ExportRecipientsInput, options?: CallOptions): AsyncIterable<Recipient>;
  /** Get a recipient. Needs the scope `subscriptions:read`. */
  getRecipient(input: GetRecipientInput, options?: CallOptions): Promise<Recipient>;
  /**
   * Create or replace a recipient. Omitted fields get their default. Needs the scope
   * `subscriptions:write`.
   */
  putRecipient(input: PutRecipientInput, options?: CallOptions): Promise<Recipient>;
  /**
   * Delete a recipient. Ends its portal links. 409 while it has subscriptions. Needs the scope
   * `subscriptions:write`.
   */
  deleteRecipient(input: DeleteRecipientInput, options?: CallOptions): Promise<void>;
  /**
   * List a recipient's portal links. The newest 200, including revoked and expired ones. Needs
   * the scope `subscriptions:read`.
   */
  listPortalLinks(input: ListPortalLinksInput, options?: CallOptions): Promise<{
    data: (PortalLink)[];
  }>;
  /** Create a portal link. The `url` is only shown here. Needs the scope `subscriptions:write`. */
  createPortalLink(input: CreatePortalLinkInput, options?: CallOptions): Promise<NewPortalLink>;
  /** Revoke all of a recipient's portal links now. Needs the scope `subscriptions:write`. */
  revokePortalLinks(input: RevokePortalLinksInput, options?: CallOptions): Promise<void>;
  /**
   * Get the settings for sending. The headers that sign events, the challenge, the portal, and
   * the catalog. Needs the scope `account:read`.
   */
  getSending(input?: Record<string, never>, options?: CallOptions): Promise<Sending>;
  /**
   * Change the settings for sending. Changes the given fields. New names of headers apply from
   * the next attempt of each send. 409 names a subscription that has a header of the name in
   * `signatureHeader`. Needs the scope `account:write`.
   */
  updateSending(input?: UpdateSendingInput, options?: CallOptions): Promise<Sending>;
  /** List accounts. Those of the person who created the token. Needs the scope `account:read`. */
  listAccounts(input?: Record<string, never>, options?: CallOptions): PagePromise<Account>;
  /**
   * Create an account. The person who created the token owns it, and has to be an owner of the
   * token's account. Needs the scope `account:write`.
   */
  createAccount(input: CreateAccountInput, options?: CallOptions): Promise<Account>;
  /** Get the account. 404 for another account than the token's. Needs the scope `account:read`. */
  getAccount(input: GetAccountInput, options?: CallOptions): Promise<Account>;
  /**
   * Rename the account. Catch URLs don't change. 404 for another account than the token's.
   * Needs the scope `account:write`.
   */
  renameAccount(input: RenameAccountInput, options?: CallOptions): Promise<Account>;
  /**
   * Delete the account. With everything in it. The name confirms which one. 409 for the only
   * account of the installation. Needs the scope `account:write`.
   */
  deleteAccount(input: DeleteAccountInput, options?: CallOptions): Promise<void>;
  /**
   * Transfer the account. Another member becomes an owner, and the owner who created the token
   * becomes an admin. Needs the scope `account:write`.
   */
  transferAccount(input: TransferAccountInput, options?: CallOptions): Promise<Member>;
  /**
   * List usage. What the account has used, by day, hook, or recipient. Days come newest first,
   * hooks and recipients by their ids. Counts stay when retention or a person removes what was
   * counted. Needs the scope `account:read`.
   */
  listUsage(input?: ListUsageInput, options?: CallOptions): PagePromise<Usage>;
  /**
   * Export usage. The filters of the list, as CSV or NDJSON. See [Export](../api.md#export).
   * Needs the scope `account:read`.
   */
  exportUsage(input?: ExportUsageInput, options?: CallOptions): AsyncIterable<Usage>;
  /**
   * Forget a person. Finds the values in everything that is stored, in the background. A dry
   * run, which is the default, counts where they are. Otherwise they are redacted, or what
   * contains them is deleted. It can't be undone. Needs the scope `erasures:write`.
   */
  createErasure(input: CreateErasureInput, options?: CallOptions): Promise<Erasure>;
  /** List erasures. Newest first. Needs the scope `erasures:read`. */
  listErasures(input?: ListErasuresInput, options?: CallOptions): PagePromise<Erasure>;
  /**
   * Get an erasure. With where the values were, and how far it has come. Needs the scope
   * `erasures:read`.
   */
  getErasure(input: GetErasureInput, options?: CallOptions): Promise<Erasure>;
  /**
   * Cancel an erasure. What it has changed stays so. Rejected with 409 if it has ended. Needs
   * the scope `erasures:write`.
   */
  cancelErasure(input: CancelErasureInput, options?: CallOptions): Promise<Erasure>;
  /**
   * List rules for later arrivals. Newest first. A rule knows its value by a keyed hash, and
   * doesn't say it. Needs the scope `erasures:read`.
   */
  listErasureRules(input?: ListErasureRulesInput, options?: CallOptions): PagePromise<ErasureRule>;
  /**
   * Remove a rule for later arrivals. What arrives from now on with its value stays. An
   * erasure that it has started continues. Needs the scope `erasures:write`.
   */
  deleteErasureRule(input: DeleteErasureRuleInput, options?: CallOptions): Promise<void>;
  /**
   * Get the masked fields. The fields of payloads that viewers see masked. Needs the scope
   * `account:read`.
   */
  getMaskedFields(input?: Record<string, never>, options?: CallOptions): Promise<MaskedFields>;
  /**
   * Replace the masked fields. All of them at once, at most 50. An empty list masks nothing.
   * Needs the scope `account:write`.
   */
  putMaskedFields(input: PutMaskedFieldsInput, options?: CallOptions): Promise<MaskedFields>;
  /**
   * Export the configuration. Without secrets, and with names instead of ids. Equal
   * configurations are equal texts. YAML with `Accept: application/yaml`. With `kind` and
   * `id`, one thing of it. Needs the scope `configuration:read`.
   */
  getConfiguration(input?: GetConfigurationInput, options?: CallOptions): Promise<Configuration>;
  /**
   * Compare files with the account. Changes nothing. Shows what apply would do, field by
   * field, and secrets only as changed. Needs the scope `configuration:read`.
   */
  planConfiguration(input: PlanConfigurationInput, options?: CallOptions): Promise<ConfigurationPlan>;
  /**
   * Apply the plan of files. All of it or nothing. 409 if it isn't what the plan shows,
   * because something was changed since. Needs the scope `configuration:write`.
   */
  applyConfiguration(input: ApplyConfigurationInput, options?: CallOptions): Promise<ConfigurationPlan>;
  /**
   * Take something out of the hands of files. Removes the mark. The thing stays, and `prune`
   * doesn't delete it. Files that still have it adopt it again. Needs the scope
   * `configuration:write`.
   */
  releaseConfiguration(input: ReleaseConfigurationInput, options?: CallOptions): Promise<void>;
  /** List members. Those who signed up last come first. Needs the scope `members:read`. */
  listMembers(input?: ListMembersInput, options?: CallOptions): PagePromise<Member>;
  /** Get a member. Needs the scope `members:read`. */
  getMember(input: GetMemberInput, options?: CallOptions): Promise<Member>;
  /**
   * Change the role of a member. 409 for the last owner. Only owners make or change owners.
   * Needs the scope `members:write`.
   */
  changeMemberRole(input: ChangeMemberRoleInput, options?: CallOptions): Promise<Member>;
  /**
   * Remove a member. Their sessions and API tokens of this account end too. 409 for the last
   * owner. Needs the scope `members:write`.
   */
  removeMember(input: RemoveMemberInput, options?: CallOptions): Promise<void>;
  /**
   * Invite a person. Sends the link by email if a mail server is configured. 409 if they are a
   * member or invited. Needs the scope `members:write`.
   */
  inviteMember(input: InviteMemberInput, options?: CallOptions): Promise<SentInvitation>;
  /** List invitations. Those that are still open, newest first. Needs the scope `members:read`. */
  listInvitations(input?: ListInvitationsInput, options?: CallOptions): PagePromise<Invitation>;
  /** Get an invitation. Needs the scope `members:read`. */
  getInvitation(input: GetInvitationInput, options?: CallOptions): Promise<Invitation>;
  /** Revoke an invitation. Its link stops working at once. Needs the scope `members:write`. */
  revokeInvitation(input: RevokeInvitationInput, options?: CallOptions): Promise<void>;
  /**
   * Send an invitation again. With a new link, for 7 more days. The earlier link stops
   * working. Needs the scope `members:write`.
   */
  resendInvitation(input: ResendInvitationInput, options?: CallOptions): Promise<SentInvitation>;
}

export const operations = {
  createHook: ["POST", "/hooks"],
  listHooks: ["GET", "/hooks", "page"],
  getHook: ["GET", "/hooks/{id}"],
  updateHook: ["PATCH", "/hooks/{id}"],
  deleteHook: ["DELETE", "/hooks/{id}"],
  rotateHookSecret: ["POST", "/hooks/{id}/secrets"],
  rotateCatchUrl: ["POST", "/hooks/{id}/catch-url"],
  endPreviousCatchUrls: ["DELETE", "/hooks/{id}/previous-catch-urls"],
  pauseHook: ["POST", "/hooks/{id}/pause"],
  resumeHook: ["POST", "/hooks/{id}/resume"],
  verifyPending: ["POST", "/hooks/{id}/verify-pending"],
  countDuplicates: ["POST", "/hooks/{id}/count-duplicates"],
  readHandshakeSecret: ["GET", "/hooks/{id}/handshake-secret"],
  testHook: ["POST", "/hooks/{id}/test"],
  registerHook: ["POST", "/hooks/{id}/registration"],
  getRegistration: ["GET", "/hooks/{id}/registration"],
  removeRegistration: ["DELETE", "/hooks/{id}/registration"],
  findGap: ["POST", "/hooks/{id}/gaps"],
  listGaps: ["GET", "/hooks/{id}/gaps", "page"],
  getGap: ["GET", "/hooks/{id}/gaps/{gapId}"],
  cancelGap: ["POST", "/hooks/{id}/gaps/{gapId}/cancel"],
  takeInGap: ["POST", "/hooks/{id}/gaps/{gapId}/take-in"],
  getGapSchedule: ["GET", "/hooks/{id}/gap-schedule"],
  putGapSchedule: ["PUT", "/hooks/{id}/gap-schedule"],
  listProviders: ["GET", "/providers", "page"],
  createAction: ["POST", "/hooks/{id}/actions"],
  listActions: ["GET", "/hooks/{id}/actions", "page"],
  getAction: ["GET", "/actions/{id}"],
  updateAction: ["PATCH", "/actions/{id}"],
  deleteAction: ["DELETE", "/actions/{id}"],
  previewAction: ["POST", "/actions/{id}/preview"],
  closeActionBreaker: ["POST", "/actions/{id}/breaker/close"],
  duplicateAction: ["POST", "/actions/{id}/duplicate"],
  exportAction: ["GET", "/actions/{id}/export"],
  importAction: ["POST", "/hooks/{id}/actions/import"],
  listActionVersions: ["GET", "/actions/{id}/versions", "page"],
  getActionVersion: ["GET", "/actions/{id}/versions/{number}"],
  restoreActionVersion: ["POST", "/actions/{id}/versions/{number}/restore"],
  createCredential: ["POST", "/credentials"],
  listCredentials: ["GET", "/credentials", "page"],
  getCredential: ["GET", "/credentials/{id}"],
  updateCredential: ["PATCH", "/credentials/{id}"],
  deleteCredential: ["DELETE", "/credentials/{id}"],
  createDestination: ["POST", "/destinations"],
  listDestinations: ["GET", "/destinations", "page"],
  getDestination: ["GET", "/destinations/{id}"],
  updateDestination: ["PATCH", "/destinations/{id}"],
  deleteDestination: ["DELETE", "/destinations/{id}"],
  backtestAction: ["POST", "/actions/{id}/backtests"],
  listBacktests: ["GET", "/actions/{id}/backtests", "page"],
  backtestNewAction: ["POST", "/hooks/{id}/backtests"],
  getBacktest: ["GET", "/backtests/{id}"],
  listBacktestResults: ["GET", "/backtests/{id}/results", "page"],
  cancelBacktest: ["POST", "/backtests/{id}/cancel"],
  listDeliveries: ["GET", "/deliveries", "page"],
  exportDeliveries: ["GET", "/deliveries/export", "rows"],
  getDelivery: ["GET", "/deliveries/{id}"],
  deleteDelivery: ["DELETE", "/deliveries/{id}"],
  acceptDelivery: ["POST", "/deliveries/{id}/accept"],
  acceptDeliveries: ["POST", "/deliveries/accept"],
  replayDelivery: ["POST", "/deliveries/{id}/replay"],
  replayDeliveries: ["POST", "/deliveries/replay"],
  explainDelivery: ["GET", "/deliveries/{id}/why"],
  diagnoseDelivery: ["POST", "/deliveries/{id}/diagnose"],
  openListener: ["POST", "/listeners"],
  listListeners: ["GET", "/listeners", "page"],
  getListener: ["GET", "/listeners/{id}"],
  deleteListener: ["DELETE", "/listeners/{id}"],
  pollDeliveries: ["GET", "/listeners/{id}/deliveries", "page"],
  handOverDeliveries: ["POST", "/listeners/{id}/deliveries"],
  acknowledgeDeliveries: ["POST", "/listeners/{id}/acks"],
  listResponses: ["GET", "/deliveries/{id}/responses"],
  disconnectListener: ["DELETE", "/listeners/{id}/connections/{connectionId}"],
  listRuns: ["GET", "/runs", "page"],
  exportRuns: ["GET", "/runs/export", "rows"],
  getRun: ["GET", "/runs/{id}"],
  retryRun: ["POST", "/runs/{id}/retry"],
  resolveStep: ["POST", "/runs/{id}/resolve"],
  cancelRun: ["POST", "/runs/{id}/cancel"],
  retryRuns: ["POST", "/runs/retry"],
  cancelRuns: ["POST", "/runs/cancel"],
  listFailures: ["GET", "/failures"],
  muteFailures: ["POST", "/failures/mute"],
  unmuteFailures: ["POST", "/failures/unmute"],
  listAuditEntries: ["GET", "/audit", "page"],
  exportAuditEntries: ["GET", "/audit/export", "rows"],
  getAuditReceiver: ["GET", "/audit/receiver"],
  putAuditReceiver: ["PUT", "/audit/receiver"],
  deleteAuditReceiver: ["DELETE", "/audit/receiver"],
  rotateAuditReceiverSecret: ["POST", "/audit/receiver/rotate-secret"],
  listProblems: ["GET", "/problems", "page"],
  getProblem: ["GET", "/problems/{id}"],
  updateProblem: ["PATCH", "/problems/{id}"],
  listProblemAlerts: ["GET", "/problems/{id}/alerts"],
  acknowledgeProblem: ["POST", "/problems/{id}/acknowledge"],
  resolveProblem: ["POST", "/problems/{id}/resolve"],
  createAlertChannel: ["POST", "/alert-channels"],
  listAlertChannels: ["GET", "/alert-channels", "page"],
  getAlertChannel: ["GET", "/alert-channels/{id}"],
  updateAlertChannel: ["PATCH", "/alert-channels/{id}"],
  deleteAlertChannel: ["DELETE", "/alert-channels/{id}"],
  testAlertChannel: ["POST", "/alert-channels/{id}/test"],
  createAlertRule: ["POST", "/alert-rules"],
  listAlertRules: ["GET", "/alert-rules", "page"],
  getAlertRule: ["GET", "/alert-rules/{id}"],
  updateAlertRule: ["PATCH", "/alert-rules/{id}"],
  deleteAlertRule: ["DELETE", "/alert-rules/{id}"],
  listBulkJobs: ["GET", "/bulk-jobs", "page"],
  getBulkJob: ["GET", "/bulk-jobs/{id}"],
  cancelBulkJob: ["POST", "/bulk-jobs/{id}/cancel"],
  pauseBulkJob: ["POST", "/bulk-jobs/{id}/pause"],
  resumeBulkJob: ["POST", "/bulk-jobs/{id}/resume"],
  createSavedView: ["POST", "/saved-views"],
  listSavedViews: ["GET", "/saved-views", "page"],
  getSavedView: ["GET", "/saved-views/{id}"],
  updateSavedView: ["PATCH", "/saved-views/{id}"],
  deleteSavedView: ["DELETE", "/saved-views/{id}"],
  setDefaultView: ["PUT", "/saved-views/{id}/default"],
  publishEvent: ["POST", "/events"],
  listEvents: ["GET", "/events", "page"],
  publishEvents: ["POST", "/events/batch"],
  exportEvents: ["GET", "/events/export", "rows"],
  getEvent: ["GET", "/events/{id}"],
  resendEvent: ["POST", "/events/{id}/resend"],
  createSubscription: ["POST", "/subscriptions"],
  listSubscriptions: ["GET", "/subscriptions", "page"],
  checkTransform: ["POST", "/subscriptions/check-transform"],
  exportSubscriptions: ["GET", "/subscriptions/export", "rows"],
  getSubscription: ["GET", "/subscriptions/{id}"],
  updateSubscription: ["PATCH", "/subscriptions/{id}"],
  deleteSubscription: ["DELETE", "/subscriptions/{id}"],
  rotateSubscriptionSecret: ["POST", "/subscriptions/{id}/secrets"],
  sendTestEvent: ["POST", "/subscriptions/{id}/test"],
  enableSubscription: ["POST", "/subscriptions/{id}/enable"],
  disableSubscription: ["POST", "/subscriptions/{id}/disable"],
  recoverSubscription: ["POST", "/subscriptions/{id}/recover"],
  replayMissing: ["POST", "/subscriptions/{id}/replay-missing"],
  listEventTypes: ["GET", "/event-types", "page"],
  exportEventTypes: ["GET", "/event-types/export", "rows"],
  getEventType: ["GET", "/event-types/{name}"],
  putEventType: ["PUT", "/event-types/{name}"],
  deleteEventType: ["DELETE", "/event-types/{name}"],
  importEventTypes: ["POST", "/event-types/import"],
  listEventTypeVersions: ["GET", "/event-types/{name}/versions"],
  createEventTypeVersion: ["POST", "/event-types/{name}/versions"],
  checkEventTypeVersion: ["POST", "/event-types/{name}/versions/check"],
  updateEventTypeVersion: ["PATCH", "/event-types/{name}/versions/{version}"],
  listRecipients: ["GET", "/recipients", "page"],
  exportRecipients: ["GET", "/recipients/export", "rows"],
  getRecipient: ["GET", "/recipients/{id}"],
  putRecipient: ["PUT", "/recipients/{id}"],
  deleteRecipient: ["DELETE", "/recipients/{id}"],
  listPortalLinks: ["GET", "/recipients/{id}/portal-links"],
  createPortalLink: ["POST", "/recipients/{id}/portal-links"],
  revokePortalLinks: ["DELETE", "/recipients/{id}/portal-links"],
  getSending: ["GET", "/sending"],
  updateSending: ["PATCH", "/sending"],
  listAccounts: ["GET", "/accounts", "page"],
  createAccount: ["POST", "/accounts"],
  getAccount: ["GET", "/accounts/{id}"],
  renameAccount: ["PATCH", "/accounts/{id}"],
  deleteAccount: ["DELETE", "/accounts/{id}"],
  transferAccount: ["POST", "/accounts/{id}/transfer"],
  listUsage: ["GET", "/usage", "page"],
  exportUsage: ["GET", "/usage/export", "rows"],
  createErasure: ["POST", "/erasures"],
  listErasures: ["GET", "/erasures", "page"],
  getErasure: ["GET", "/erasures/{id}"],
  cancelErasure: ["POST", "/erasures/{id}/cancel"],
  listErasureRules: ["GET", "/erasure-rules", "page"],
  deleteErasureRule: ["DELETE", "/erasure-rules/{id}"],
  getMaskedFields: ["GET", "/masked-fields"],
  putMaskedFields: ["PUT", "/masked-fields"],
  getConfiguration: ["GET", "/configuration"],
  planConfiguration: ["POST", "/configuration/plan"],
  applyConfiguration: ["POST", "/configuration/apply"],
  releaseConfiguration: ["POST", "/configuration/release"],
  listMembers: ["GET", "/members", "page"],
  getMember: ["GET", "/members/{id}"],
  changeMemberRole: ["PATCH", "/members/{id}"],
  removeMember: ["DELETE", "/members/{id}"],
  inviteMember: ["POST", "/invitations"],
  listInvitations: ["GET", "/invitations", "page"],
  getInvitation: ["GET", "/invitations/{id}"],
  revokeInvitation: ["DELETE", "/invitations/{id}"],
  resendInvitation: ["POST", "/invitations/{id}/resend"],
} as const;

