import { Marked, type Tokens } from "marked";
import { headingIds } from "./docs-sections.ts";

type DocsPlace = { readonly page: string; readonly pages: readonly string[] };

/**
 * Documentation as HTML. Headings have the same ids as on GitHub, and links between pages lead to
 * the served pages. Links to files that aren't served stay text. HTML in the text is escaped, and
 * comments are left out.
 *
 * @param place the name of the page, such as `api/hooks`, and those of all pages
 */
export function renderMarkdown(text: string, place: DocsPlace): string {
  const toId = headingIds();
  let tables = 0;
  const marked = new Marked({
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
        const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        tables += 1;
        // Scrolling content must be reachable by keyboard.
        return (
          '<div class="table" tabindex="0" role="region" ' +
          `aria-label="Table ${tables}"><table><thead>${row(token.header, "th")}</thead>` +
          `<tbody>${body}</tbody></table></div>\n`
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
        return /^<!--.*-->\s*$/s.test(html) ? "" : escapeHtml(html);
      },
      image() {
        return "";
      },
    },
  });
  return marked.parse(text, { async: false });
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
