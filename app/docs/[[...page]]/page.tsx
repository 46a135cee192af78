import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CopyCode } from "#components/docs/copy-code.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { MarkdownPage } from "#components/docs/markdown-page.tsx";
import { readDocsMenu } from "#lib/web/docs/docs-menu.ts";
import { readDocs } from "#lib/web/docs/read-docs.ts";

type DocsPageProps = { readonly params: Promise<{ page?: string[] }> };

const nameOf = async (params: DocsPageProps["params"]) => ((await params).page ?? []).join("/");

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  return { title: (await readDocs(await nameOf(params)))?.title ?? "Not found" };
}

/** The page is public: error responses link to it. */
export default async function DocsPage({ params }: DocsPageProps) {
  const name = await nameOf(params);
  const [docs, menu] = await Promise.all([readDocs(name), readDocsMenu()]);
  if (docs === null) notFound();
  return (
    <DocsFrame
      menu={menu}
      current={name === "" ? "/docs" : `/docs/${name}`}
      headings={docs.headings}
    >
      <MarkdownPage html={docs.html} />
      <CopyCode page={name} />
    </DocsFrame>
  );
}
