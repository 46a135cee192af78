import type { MailEnv } from "#lib/core/env/mail-settings.ts";
import { cleanLine, type MailContent, writeMail } from "#lib/core/people/sign-in/write-mail.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";

type Mail = {
  /** One address, so that no recipient learns who else got the message. */
  readonly to: string;
  readonly subject: string;
  readonly content: MailContent;
  /** Without angle brackets, `name@host`: mail programs recognize a repeat by it. */
  readonly messageId?: string;
  /** The same for all messages of a conversation. */
  readonly threadId?: string;
};

export type MailResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** A sentence for the operator. */
      readonly message: string;
      /** The same message would fail again. */
      readonly isPermanent: boolean;
    };

type Options = {
  /** Extra certificate authorities in PEM. Verification can't be turned off. */
  readonly extraCa?: readonly string[];
  readonly timeLimitMs?: number;
};

/**
 * Sends one message over SMTP, or says why it couldn't. Never throws, and takes 30 seconds at most.
 *
 * The operator of the machine chose the mail server in `SMTP_URL`, so the rules for addresses that
 * users choose (`CATCHMENT_EGRESS_ALLOW`) don't apply: mail servers are usually in a private network.
 * Nothing that a user enters changes the server, and the recipient is one checked address.
 */
export async function sendMail(
  server: MailEnv,
  { to, subject, content, messageId, threadId }: Mail,
  { extraCa = [], timeLimitMs = 30_000 }: Options = {},
): Promise<MailResult> {
  const recipient = emailSchema.safeParse(to);
  if (!recipient.success) return fail("The recipient isn't an email address.", true);
  const written = writeMail(content);
  if (written.text.length + written.html.length > maxCharacters)
    return fail("The message is too long.", true);
  const transport = await openTransport(server, extraCa);
  try {
    await transport.sendMail({
      from: { name: server.from.name, address: server.from.email },
      to: { name: "", address: recipient.data },
      subject: cleanLine(subject).slice(0, maxSubject),
      ...written,
      ...(messageId !== undefined && { messageId: `<${messageId}>` }),
      ...(threadId !== undefined && { inReplyTo: `<${threadId}>`, references: `<${threadId}>` }),
      // RFC 3834: nobody's vacation responder answers.
      headers: { "Auto-Submitted": "auto-generated" },
      signal: AbortSignal.timeout(timeLimitMs),
    });
    return { ok: true };
  } catch (error) {
    return toFailure(error);
  } finally {
    transport.close();
  }
}

/** Connects and signs in as `sendMail` does, and sends nothing. Never throws. */
export async function checkMailServer(
  server: MailEnv,
  { extraCa = [] }: Options = {},
): Promise<MailResult> {
  const transport = await openTransport(server, extraCa);
  try {
    await transport.verify();
    return { ok: true };
  } catch (error) {
    return toFailure(error);
  } finally {
    transport.close();
  }
}

const maxCharacters = 256 * 1024;
const maxSubject = 200;

/** nodemailer is loaded with the first message: most processes never send one. */
async function openTransport({ host, port, security, login }: MailEnv, extraCa: readonly string[]) {
  const [{ createTransport }, { getCACertificates }] = await Promise.all([
    import("nodemailer"),
    import("node:tls"),
  ]);
  return createTransport({
    host,
    port,
    secure: security === "tls",
    // Fails before the user name and the message are sent if the server can't.
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    tls: {
      minVersion: "TLSv1.2",
      ...(extraCa.length > 0 && { ca: [...getCACertificates("default"), ...extraCa] }),
    },
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function toFailure(error: unknown): MailResult {
  const { code, originalCode, responseCode, response, permanent } = readError(error);
  if (code === "ETIMEDOUT" || code === "EABORT")
    return fail("The mail server didn't respond in time.", false);
  if (code === "EAUTH" || code === "ENOAUTH")
    return fail(`The mail server rejected the user name or password.${quote(response)}`, true);
  if (code === "EDNS") return fail("The mail server's host name could not be resolved.", false);
  if (code === "ETLS" || isTlsCode(originalCode))
    return fail(`The mail server offers no TLS that is trusted (${originalCode ?? code}).`, false);
  if (responseCode !== undefined)
    return fail(`The mail server rejected the message.${quote(response)}`, permanent === true);
  return fail(`Could not send to the mail server (${originalCode ?? code}).`, false);
}

function readError(error: unknown) {
  const { code, originalCode, responseCode, response, permanent } = error as {
    code?: string;
    originalCode?: string;
    responseCode?: number;
    response?: string;
    permanent?: boolean;
  };
  return { code: code ?? "unknown", originalCode, responseCode, response, permanent };
}

function isTlsCode(code: string | undefined): boolean {
  return code !== undefined && /CERT|SSL|TLS|SIGNATURE|ISSUER|EPROTO/.test(code);
}

/** The server's own words help its operator. */
function quote(response: string | undefined): string {
  return response === undefined ? "" : ` It said: ${cleanLine(response).slice(0, 300)}`;
}

function fail(message: string, isPermanent: boolean): MailResult {
  return { ok: false, message, isPermanent };
}
