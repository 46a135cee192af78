/** The result of a diagnosis, for the API and the page. Contains no secrets or expected values. */

import type { SecretChange } from "#lib/core/verify/secret/change-secret.ts";
import type { Verification } from "#lib/schema/receive/verification.ts";

export type Diagnosis = {
  /**
   * `explained`: the findings are the cause. `unexplained`: the findings are clues.
   * `not_failed`: the delivery was not rejected.
   */
  readonly verdict: "explained" | "unexplained" | "not_failed";
  readonly findings: readonly Finding[];
  /** Number of variants verified. */
  readonly tried: number;
  /** False if `limits` were reached before everything was tried. */
  readonly isComplete: boolean;
  /** Set only for `unexplained`: what was tried, and what to do next. */
  readonly triedWhat: string | null;
  readonly next: string | null;
};

export type Finding = {
  readonly code: FindingCode;
  /** The problem and how to fix it. */
  readonly sentence: string;
  /** `certain` is proven: undoing all findings makes the signature match. */
  readonly confidence: "certain" | "likely" | "possible";
  /** A fix that the user can apply with one click. */
  readonly fix: Fix | null;
  /** The provider that the delivery seems to be from. Not proven, so there is no fix. */
  readonly suggestedProvider?: { readonly id: string; readonly name: string };
};

export type Fix = FixData & {
  /** Button text. */
  readonly label: string;
  /** Text of the confirmation. */
  readonly effect: string;
};

export type FixData =
  | { readonly kind: "change_provider"; readonly provider: string }
  /** The hook's provider becomes `custom` with this scheme. */
  | { readonly kind: "change_verification"; readonly verification: Verification }
  /** Replaces the secret with a corrected copy. The old one stays active for a day. */
  | { readonly kind: "replace_secret"; readonly secretId: string; readonly change: SecretChange }
  /** Reactivates an expired secret for `seconds`. */
  | { readonly kind: "extend_secret"; readonly secretId: string; readonly seconds: number }
  | { readonly kind: "allow_method"; readonly method: string };

export type FindingCode =
  | "verifies_now"
  | "verifies_nothing_now"
  | "secret_missing"
  | "setting_missing"
  | "key_not_at_hand"
  | "secret_text"
  | "secret_placeholder"
  | "secret_previous"
  | "secret_of_other_hook"
  | "secret_decoding"
  | "secret_suspicious"
  | "other_hook"
  | "other_provider"
  | "other_scheme"
  | "other_hash"
  | "other_encoding"
  | "other_format"
  | "other_header"
  | "other_template"
  | "timestamp_unit"
  | "timestamp_too_old"
  | "timestamp_in_future"
  | "signature_altered"
  | "signature_repeated"
  | "signature_shape"
  | "header_renamed"
  | "header_missing"
  | "body_line_end"
  | "body_rewritten"
  | "body_charset"
  | "body_compression"
  | "body_wrapped"
  | "body_form"
  | "body_missing"
  | "body_changed"
  | "url_differs"
  | "credential_not_stored"
  | "sender_looks_other"
  | "sent_by_hand"
  | "test_mode"
  | "invalid_json"
  | "body_too_large"
  | "method_not_allowed"
  | "refused_otherwise";
