import { z } from "zod";
import { readDocsSources } from "#lib/web/docs/read-docs.ts";
import { searchDocs as findDocs } from "#lib/web/docs/search-docs.ts";
import { fitItems } from "../frame/result.ts";
import { maxBytes, tool } from "../frame/tool.ts";

const sectionChars = 1_600;

export const searchDocs = tool({
  name: "search_docs",
  title: "Search the documentation",
  description:
    "Finds sections of Catchment's documentation that have all the words, and shows their text.",
  permissions: [],
  input: z.strictObject({
    query: z.string().min(1).max(200),
    limit: z.int().min(1).max(20).default(5),
    maxBytes,
  }),
  run: async ({ context }, { query, limit, maxBytes: room }) => {
    const [hits, sources] = await Promise.all([findDocs(query, limit), readDocsSources()]);
    const { publicUrl } = context.env;
    const { part, count } = fitItems(hits, room, ({ href, page, heading, excerpt }) => {
      const source = sources.find((one) => href === one.href || href.startsWith(`${one.href}#`));
      const hash = href.split("#")[1];
      const section = source?.sections.find(({ id, depth }) =>
        hash === undefined ? depth === 1 : id === hash,
      );
      const text = section === undefined ? excerpt : section.text.slice(0, sectionChars);
      const title = page === heading ? page : `${page}: ${heading}`;
      return {
        line: `${title} (${publicUrl}${href})\n${text}\n`,
        data: { title, url: `${publicUrl}${href}`, text },
      };
    });
    const none = "Nothing has all these words. Search for fewer of them.";
    return {
      lines: count === 0 ? [none] : part.lines,
      data: { sections: part.data },
      next:
        count < hits.length
          ? {
              tool: "search_docs",
              arguments: { query, limit, maxBytes: Math.min(room * 2, 49_152) },
            }
          : undefined,
    };
  },
});
