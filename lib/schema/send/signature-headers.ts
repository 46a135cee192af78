/** The headers that prove where an account's events come from. */
export type SignatureHeaders = {
  /** The name of the header `t=…,v1=…`. */
  readonly signatureHeader: string;
  /** Whether `Catchment-Signature` is sent too, if `signatureHeader` is another name. */
  readonly catchmentSignature: boolean;
  /** Whether the `webhook-*` headers are sent. An Ed25519 signature is only in these. */
  readonly standardWebhooksHeaders: boolean;
};

export const catchmentSignature = "Catchment-Signature";

export const defaultSignatureHeaders: SignatureHeaders = {
  signatureHeader: catchmentSignature,
  catchmentSignature: true,
  standardWebhooksHeaders: true,
};

/** Only these settings, for pages that must not carry the others to the browser. */
export function pickSignatureHeaders(settings: SignatureHeaders): SignatureHeaders {
  const { signatureHeader, catchmentSignature: ours, standardWebhooksHeaders } = settings;
  return { signatureHeader, catchmentSignature: ours, standardWebhooksHeaders };
}

/** Header names are the same in any case. */
export function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The names of the headers `t=…,v1=…` of a send: the account's, and ours beside it. */
export function listTimedHeaders(headers: SignatureHeaders): readonly string[] {
  const { signatureHeader } = headers;
  const isOurs = isSameHeader(signatureHeader, catchmentSignature);
  return isOurs || !headers.catchmentSignature
    ? [signatureHeader]
    : [signatureHeader, catchmentSignature];
}
