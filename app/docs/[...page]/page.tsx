import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { MarkdownPage } from "#components/docs/markdown-page.tsx";
import { readDocs } from "#lib/web/docs/read-docs.ts";

type DocsPageProps = { readonly params: Promise<{ page: string[] }> };

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  return { title: (await readDocs((await params).page.join("/")))?.title ?? "Not found" };
}

/** The page is public: error responses link to it. */
export default async function DocsPage({ params }: DocsPageProps) {
  const docs = await readDocs((await params).page.join("/"));
  if (docs === null) notFound();
  return (
    <main className="mx-auto grid max-w-3xl grid-cols-1 gap-8 px-4 py-8 sm:py-12">
      <nav aria-label="Catchment">
        <Link
          href="/"
          className="rounded-sm text-sm text-muted-foreground underline-offset-4 hover:text-foreground hover:underline"
        >
          Catchment
        </Link>
      </nav>
      <MarkdownPage html={docs.html} />
    </main>
  );
}
