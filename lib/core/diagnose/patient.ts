/** What the doctor looks at: a stored delivery, its hook as it is now, and what else could explain it. */
import type { Settings } from "#lib/core/verify/code-scheme.ts";
import type { VerifyRequest } from "#lib/core/verify/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";

export type Patient = {
  /** As stored; `url` is the hook's public URL with path and query as they were called. */
  readonly request: VerifyRequest;
  readonly receivedAtMs: number;
  readonly wasRefused: boolean;
  /** The code that was stored with it. */
  readonly reason: string | null;
  readonly hook: PatientHook;
  /** Active and expired ones, newest first. */
  readonly secrets: readonly PatientSecret[];
  readonly otherHooks: readonly OtherHook[];
  /** Whether other deliveries of this hook were verified within the same hour or so: then its clock is right. */
  readonly wereOthersVerified: boolean;
};

export type PatientHook = {
  /** Of the catalogue, "custom" or "generic". */
  readonly provider: string;
  /** From storage; null for "generic". */
  readonly scheme: unknown;
  /** What its provider needs beside the secret. */
  readonly settings: Settings;
  readonly methods: readonly string[];
};

export type PatientSecret = {
  readonly id: string;
  readonly text: string;
  /** When it stopped to pass, in Unix milliseconds; null: it passes. */
  readonly expiredAtMs: number | null;
  /** Whether it is the newest of those that pass: the one that a corrected copy may replace. */
  readonly isCurrent: boolean;
};

/** Another hook of the same account: only compared with, never shown. */
export type OtherHook = {
  readonly name: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

/** One set of circumstances under which a request is verified. A hypothesis is a `Case` in which something was changed. */
export type Case = {
  readonly scheme: Scheme;
  readonly secrets: readonly string[];
  readonly settings: Settings;
  readonly request: VerifyRequest;
};
