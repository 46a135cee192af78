import { Marked, type Tokens } from "marked";
import { headingIds } from "./docs-sections.ts";

/** The marks around the table of a page's calls. */
export const callMarks = /<!-- (?:end of )?calls -->\s*/;

type DocsPlace = { readonly page: string; readonly pages: readonly string[] };

/**
 * Documentation as HTML. Headings have the same ids as on GitHub, and links between pages lead to
 * the served pages. Links to files that aren't served stay text. HTML in the text is escaped, and
 * comments are left out.
 *
 * @param place the name of the page, such as `api/hooks`, and those of all pages
 */
export function renderMarkdown(text: string, place: DocsPlace): string {
  return openMarked(place).parse(text, { async: false });
}

/** A sentence or a cell of a table, without a paragraph around it. */
export function renderInline(text: string, place: DocsPlace): string {
  return openMarked(place).parseInline(text, { async: false });
}

function openMarked(place: DocsPlace): Marked {
  const toId = headingIds();
  return new Marked({
    renderer: {
      heading({ tokens, depth, text: title }: Tokens.Heading) {
        const id = toId(title);
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const address = toAddress(href, place);
        return address === null ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      table(token: Tokens.Table) {
        const titles = token.header.map(({ text: title }) => escapeHtml(title.replace(/`/g, "")));
        const head = token.header.map((cell) => `<th>${this.parser.parseInline(cell.tokens)}</th>`);
        const rows = token.rows.map((cells) => {
          // On a phone, a cell is a line below the title of its column.
          const each = cells.map(
            (cell, at) =>
              `<td role="cell" data-title="${titles[at]}">${this.parser.parseInline(cell.tokens)}</td>`,
          );
          return `<tr role="row">${each.join("")}</tr>`;
        });
        return (
          `<div class="table"><table role="table"><thead role="rowgroup"><tr role="row">` +
          `${head.join("").replaceAll("<th>", '<th role="columnheader">')}</tr></thead>` +
          `<tbody role="rowgroup">${rows.join("")}</tbody></table></div>\n`
        );
      },
      code({ text: code }: Tokens.Code) {
        // `CopyCode` shows the button and makes it work.
        return (
          '<div class="code"><button type="button" data-copy hidden>' +
          '<span aria-live="polite">Copy</span></button>' +
          `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre></div>\n`
        );
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag) {
        if (callMarks.test(html)) return html;
        return /^<!--.*-->\s*$/s.test(html) ? "" : escapeHtml(html);
      },
      image() {
        return "";
      },
    },
  });
}

/** Null: not served here. */
function toAddress(href: string, { page, pages }: DocsPlace): string | null {
  if (/^(?:https?:\/\/|#)/u.test(href)) return href;
  const [, path = "", anchor = ""] = /^((?:\.\.\/)?[a-zA-Z/-]+)\.md(#.*)?$/u.exec(href) ?? [];
  const name = new URL(path, `file:///${page}`).pathname.slice(1).toLowerCase();
  if (!pages.includes(name)) return null;
  return name === "readme" ? `/docs${anchor}` : `/docs/${name}${anchor}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
