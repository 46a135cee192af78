import type { SMTPServerOptions } from "smtp-server";
import { expect, test } from "vitest";
import type { MailEnv } from "#lib/core/env/mail-settings.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { testCertificate } from "#lib/net/testing/test-certificate.ts";
import { serveBytes } from "#lib/net/testing/test-servers.ts";
import { sendMail } from "./send-mail.ts";

const from = { name: "Catchment", email: "catchment@example.com" };
const mail = {
  to: "ada@example.com",
  subject: "Größe: 5 < 6 ✓",
  content: {
    title: "Your <b>password</b>",
    paragraphs: ["Someone asked for a new password.\nTwo lines."],
    facts: [["Account", "Acme & Söhne"]] as const,
    link: { label: "Choose a password", url: "https://hooks.example.com/reset?token=a&b=c" },
    footnote: "You can ignore this message.",
  },
};

function plain(port: number): MailEnv {
  return { host: "127.0.0.1", port, security: "none", login: null, from };
}

test("a message arrives as text and as HTML, with its characters and nothing of the text as markup", async () => {
  await using server = await startMailServer();
  expect(await sendMail(plain(server.port), mail)).toEqual({ ok: true });
  const [received] = server.mails;
  expect(received).toMatchObject({
    to: ["ada@example.com"],
    from: "catchment@example.com",
    subject: mail.subject,
    wasEncrypted: false,
  });
  expect(received?.text.trimEnd()).toBe(
    "Your <b>password</b>\n\nSomeone asked for a new password.\nTwo lines.\n\n" +
      "Account: Acme & Söhne\n\nChoose a password:\nhttps://hooks.example.com/reset?token=a&b=c\n\n" +
      "-- \nYou can ignore this message.",
  );
  expect(received?.html).toContain("Your &lt;b&gt;password&lt;/b&gt;");
  expect(received?.html).toContain('href="https://hooks.example.com/reset?token=a&amp;b=c"');
  expect(received?.headers).toContainEqual(
    expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
  );
});

test("no text adds a header or a recipient", async () => {
  await using server = await startMailServer();
  const lines = "Hello\r\nBcc: eve@example.com\r\n\r\nInjected\u2028body";
  const sent = await sendMail(plain(server.port), {
    to: mail.to,
    subject: lines,
    content: { ...mail.content, title: lines },
  });
  expect(sent).toEqual({ ok: true });
  const [received] = server.mails;
  expect(received?.to).toEqual(["ada@example.com"]);
  expect(received?.subject).toBe("Hello Bcc: eve@example.com Injected body");
  expect(received?.headers.map(({ key }) => key)).not.toContain("bcc");
  for (const to of [
    "ada@example.com, eve@example.com",
    "ada@example.com\r\nRCPT TO:<eve@example.com>",
    "<ada@example.com>",
    "",
  ])
    expect(await sendMail(plain(server.port), { ...mail, to })).toMatchObject({
      ok: false,
      isPermanent: true,
    });
  expect(server.mails).toHaveLength(1);
});

test("a message that is too long isn't sent, and a long subject is cut", async () => {
  await using server = await startMailServer();
  const long = { ...mail.content, paragraphs: ["x".repeat(200_000)] };
  expect(await sendMail(plain(server.port), { ...mail, content: long })).toEqual({
    ok: false,
    message: "The message is too long.",
    isPermanent: true,
  });
  await sendMail(plain(server.port), { ...mail, subject: "s".repeat(5_000) });
  expect(server.mails.map(({ subject }) => subject.length)).toEqual([200]);
});

const tlsServer = { disabledCommands: ["AUTH"], ...testCertificate };

test("STARTTLS is required, and its certificate has to be trusted", async () => {
  await using without = await startMailServer();
  const server = { ...plain(without.port), security: "starttls" as const };
  expect(await sendMail(server, mail)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/no TLS/),
  });
  expect(without.mails).toEqual([]);

  await using withTls = await startMailServer(tlsServer, "127.0.0.3");
  const encrypted = { ...plain(withTls.port), host: "127.0.0.3", security: "starttls" as const };
  expect(await sendMail(encrypted, mail)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/no TLS/),
  });
  expect(withTls.mails).toEqual([]);
});

test("a login is sent after STARTTLS only, and a wrong one is a permanent failure", async () => {
  const options: SMTPServerOptions = {
    ...testCertificate,
    disabledCommands: [],
    onAuth: ({ username, password }, _session, done) =>
      password === "right" ? done(null, { user: username }) : done(new Error("No such login")),
  };
  await using server = await startMailServer(options, "127.0.0.3");
  const to: MailEnv = {
    ...plain(server.port),
    host: "127.0.0.3",
    security: "starttls",
    login: { user: "catchment", password: "right" },
  };
  const trusted = { extraCa: [testCertificate.cert] };
  expect(await sendMail(to, mail, trusted)).toEqual({ ok: true });
  expect(server.mails).toMatchObject([{ wasEncrypted: true, user: "catchment" }]);
  const wrong = { ...to, login: { user: "catchment", password: "wrong" } };
  expect(await sendMail(wrong, mail, trusted)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/rejected the user name or password\. It said: 535/),
    isPermanent: true,
  });
});

test.each([
  [451, false],
  [550, true],
])(
  "a recipient rejected with %i is reported with the server's words",
  async (code, isPermanent) => {
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error("Mailbox unavailable"), { responseCode: code })),
    });
    expect(await sendMail(plain(server.port), mail)).toEqual({
      ok: false,
      message: `The mail server rejected the message. It said: ${code} Mailbox unavailable`,
      isPermanent,
    });
  },
);

test("a server that is down or stops talking is reported in time", async () => {
  const gone = await startMailServer();
  await gone[Symbol.asyncDispose]();
  expect(await sendMail(plain(gone.port), mail)).toEqual({
    ok: false,
    message: "Could not send to the mail server (ECONNREFUSED).",
    isPermanent: false,
  });
  await using silent = await serveBytes(() => {});
  const late = {
    ok: false,
    message: "The mail server didn't respond in time.",
    isPermanent: false,
  };
  expect(await sendMail(plain(silent.port), mail, { timeLimitMs: 200 })).toEqual(late);
});
