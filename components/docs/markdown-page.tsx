/**
 * Our own documentation, rendered by `lib/web/docs/render-markdown.ts`. Never used for text from
 * users.
 */
export function MarkdownPage({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own files, with HTML escaped
  return <article className={prose} dangerouslySetInnerHTML={{ __html: html }} />;
}

const prose = [
  "docs-page min-w-0 text-[0.9375rem] leading-7 break-words",
  "[&_h1]:mb-5 [&_h1]:text-2xl [&_h1]:font-semibold [&_h1]:tracking-tight",
  "[&_h2]:mt-10 [&_h2]:mb-3 [&_h2]:scroll-mt-6 [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-tight",
  "[&_h3]:mt-6 [&_h3]:mb-2 [&_h3]:font-semibold",
  "[&_:is(h1,h2,h3)_a]:no-underline [&_h2:target]:text-primary",
  "[&>:is(p,ul,ol)]:max-w-3xl",
  "[&_p]:my-3 [&_ul]:my-3 [&_ul]:list-disc [&_ul]:pl-6 [&_ol]:my-3 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:my-1",
  "[&_:is(p,li,td)_a]:underline [&_:is(p,li,td)_a]:underline-offset-4",
  "[&_code]:rounded-sm [&_code]:bg-muted [&_code]:px-1 [&_code]:py-0.5 [&_code]:font-mono [&_code]:text-[0.85em]",
  "[&_pre]:my-4 [&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:bg-muted [&_pre]:p-4 [&_pre]:leading-5",
  "[&_pre_code]:bg-transparent [&_pre_code]:p-0 [&_pre_code]:text-xs",
  "[&_.code]:my-4 [&_.code]:flex [&_.code]:items-start [&_.code]:rounded-md [&_.code]:bg-muted",
  "[&_.code_pre]:my-0 [&_.code_pre]:min-w-0 [&_.code_pre]:flex-1",
  "[&_[data-copy]]:order-1 [&_[data-copy]]:m-2 [&_[data-copy]]:shrink-0 [&_[data-copy]]:min-h-7",
  "[&_[data-copy]]:rounded-md [&_[data-copy]]:border [&_[data-copy]]:bg-card [&_[data-copy]]:px-2",
  "[&_[data-copy]]:text-xs [&_[data-copy]]:font-medium [&_[data-copy]]:hover:bg-muted",
  "[&_.table]:my-4 [&_.table]:block [&_.table]:overflow-x-auto [&_table]:w-full [&_table]:text-left [&_table]:text-sm",
  "[&_th]:first-letter:uppercase [&_th]:border-b [&_th]:py-2 [&_th]:pr-4 [&_th]:font-medium",
  "[&_td]:border-b [&_td]:py-2 [&_td]:pr-4 [&_td]:align-top [&_:is(td,th):last-child]:pr-0",
].join(" ");
