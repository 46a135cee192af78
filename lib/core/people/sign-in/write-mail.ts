/** The content of a message. Every text may have been written by anyone. */
export type MailContent = {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Short facts, each in a line. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Why the reader got the message, and what to do if they didn't expect it. */
  readonly footnote: string;
};

type WrittenMail = { readonly text: string; readonly html: string };

/**
 * Writes a message as plain text and as HTML. The HTML has no images and loads nothing, so opening
 * it tells no one. It follows the reader's light or dark mode where the mail program can.
 */
export function writeMail(content: MailContent): WrittenMail {
  const { title, paragraphs, facts = [], link, footnote } = cleanContent(content);
  const text = [
    title,
    ...paragraphs,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    link === undefined ? "" : `${link.label}:\n${link.url}`,
    `-- \n${footnote}`,
  ];
  const parts = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(title)}</h1>`,
    ...paragraphs.map((paragraph) => writeParagraph(paragraph)),
    writeFacts(facts),
    link === undefined ? "" : writeLink(link),
  ];
  return {
    text: `${text.filter((part) => part !== "").join("\n\n")}\n`,
    html: writePage(title, parts.join("\n"), footnote),
  };
}

/** Line ends stay in paragraphs; other control characters and invisible directions go. */
function cleanContent({ title, paragraphs, facts = [], link, footnote }: MailContent): MailContent {
  return {
    title: cleanLine(title),
    paragraphs: paragraphs.map((paragraph) => paragraph.split(/\r?\n/).map(cleanLine).join("\n")),
    facts: facts.map(([label, value]) => [cleanLine(label), cleanLine(value)] as const),
    ...(link === undefined ? {} : { link }),
    footnote: cleanLine(footnote),
  };
}

/** One line without control characters, also for headers such as the subject. */
export function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
}

function writeParagraph(paragraph: string): string {
  const lines = paragraph.split("\n").map(escapeHtml).join("<br>");
  return `<p style="margin:0 0 16px">${lines}</p>`;
}

function writeFacts(facts: NonNullable<MailContent["facts"]>): string {
  if (facts.length === 0) return "";
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td class="quiet" style="padding:4px 16px 4px 0;color:#6b7280;vertical-align:top;white-space:nowrap">` +
      `${escapeHtml(label)}</td><td style="padding:4px 0;vertical-align:top;word-break:break-word">` +
      `${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join("")}</table>`;
}

function writeLink({ label, url }: NonNullable<MailContent["link"]>): string {
  const href = escapeHtml(url);
  return (
    `<p style="margin:24px 0"><a class="button" href="${href}" style="${buttonStyle}">` +
    `${escapeHtml(label)}</a></p>` +
    `<p class="quiet" style="margin:0 0 16px;${quiet};word-break:break-all">${href}</p>`
  );
}

function writePage(title: string, body: string, footnote: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #111113 !important; color: #ededef !important; }
  .card { background: #18181b !important; border-color: #2e2e32 !important; }
  .quiet { color: #a1a1aa !important; }
  .button { background: #ededef !important; color: #18181b !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f4f5;color:#18181b;font:15px/24px ${fonts}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 12px 4px;font-weight:600">Catchment</p>
<div class="card" style="padding:28px;background:#ffffff;border:1px solid #e4e4e7;border-radius:12px">
${body}
</div>
<p class="quiet" style="margin:12px 4px 0;${quiet}">${escapeHtml(footnote)}</p>
</div>
</body>
</html>
`;
}

const quiet = "color:#6b7280;font-size:13px;line-height:20px";
const buttonStyle =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#18181b;color:#ffffff;" +
  "text-decoration:none;font-weight:500";
const fonts = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
