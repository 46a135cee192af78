/** What the doctor says of a delivery: plain data for the API and the page. Holds no secret, no expected value. */
import type { Verification } from "#lib/schema/verification.ts";
import type { SecretChange } from "./change-secret.ts";

export type Diagnosis = {
  /** `explained`: the findings together are why. `unexplained`: the findings are clues. `not_failed`: it was not refused. */
  readonly verdict: "explained" | "unexplained" | "not_failed";
  readonly findings: readonly Finding[];
  /** How many variants were verified. */
  readonly tried: number;
  /** False where the bounds (`bounds` in `trial.ts`) were reached before everything was tried. */
  readonly isComplete: boolean;
  /** Where nothing explains it: of what kinds those variants were, and what to do; else null. */
  readonly triedWhat: string | null;
  readonly next: string | null;
};

export type Finding = {
  readonly code: FindingCode;
  /** For people: what is wrong and what to do. */
  readonly sentence: string;
  /** `certain` was proven: with this undone (and the other findings beside it) the signature fits. */
  readonly confidence: "certain" | "likely" | "possible";
  /** What the owner can let be done at a click. */
  readonly fix: Fix | null;
  /** Whose delivery it looks to be, where that is the finding. Not proven, so there is no fix to it. */
  readonly suggestedProvider?: { readonly id: string; readonly name: string };
};

export type Fix = FixData & {
  /** For a button. */
  readonly label: string;
  /** For the question before it is done. */
  readonly effect: string;
};

export type FixData =
  | { readonly kind: "change_provider"; readonly provider: string }
  /** The hook's provider becomes `custom` with this scheme. */
  | { readonly kind: "change_verification"; readonly verification: Verification }
  /** The secret is replaced by itself, changed in this way; the one there is passes for a day more. */
  | { readonly kind: "replace_secret"; readonly secretId: string; readonly change: SecretChange }
  /** A secret that has expired passes again for so long. */
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
