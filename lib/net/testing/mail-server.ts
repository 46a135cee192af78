import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message as it arrived over SMTP. */
type ReceivedMail = {
  /** The recipients of the envelope. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly wasEncrypted: boolean;
  readonly user: string | null;
};

/** A real SMTP server on loopback that keeps what it gets. `url` is for `SMTP_URL`. */
export async function startMailServer(options: SMTPServerOptions = {}, host = "127.0.0.1") {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    closeTimeout: 1,
    logger: false,
    onData: async (stream, session, done) => {
      const parsed = await PostalMime.parse(Buffer.concat(await Array.fromAsync(stream)));
      const { mailFrom, rcptTo } = session.envelope;
      mails.push({
        to: rcptTo.map(({ address }) => address),
        from: mailFrom === false ? "" : mailFrom.address,
        subject: parsed.subject ?? "",
        text: parsed.text ?? "",
        html: parsed.html ?? "",
        headers: parsed.headers,
        wasEncrypted: session.secure,
        user: typeof session.user === "string" ? session.user : null,
      });
      done();
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, host, ready));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://${host}:${port}`,
    /** Everything received so far, the oldest first. */
    mails: mails as readonly ReceivedMail[],
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
