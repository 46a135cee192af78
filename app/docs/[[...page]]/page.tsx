import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { CallIndex } from "#components/docs/api/call-index.tsx";
import { CallReference } from "#components/docs/api/call-reference.tsx";
import { languageScript } from "#components/docs/api/languages.ts";
import { CopyCode } from "#components/docs/copy-code.tsx";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { MarkdownPage } from "#components/docs/markdown-page.tsx";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { createTokenCommand } from "#lib/web/account/commands.ts";
import { readTrierCommand } from "#lib/web/docs/commands.ts";
import { readDocsMenu } from "#lib/web/docs/docs-menu.ts";
import { readCalls } from "#lib/web/docs/read-calls.ts";
import { readDocs, splitAtCalls } from "#lib/web/docs/read-docs.ts";
import { nonceHeader } from "#lib/web/request/content-security-policy.ts";

type DocsPageProps = { readonly params: Promise<{ page?: string[] }> };

const nameOf = async (params: DocsPageProps["params"]) => ((await params).page ?? []).join("/");

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  return { title: (await readDocs(await nameOf(params)))?.title ?? "Not found" };
}

const commands = { readTrier: readTrierCommand, createToken: createTokenCommand };

/** The page is public: error responses link to it. */
export default async function DocsPage({ params }: DocsPageProps) {
  const name = await nameOf(params);
  const { publicUrl } = serverContext().env;
  const [docs, menu, calls] = await Promise.all([
    readDocs(name),
    readDocsMenu(),
    readCalls(name, publicUrl),
  ]);
  if (docs === null) notFound();
  const current = name === "" ? "/docs" : `/docs/${name}`;
  if (calls.length === 0)
    return (
      <DocsFrame menu={menu} current={current} headings={docs.headings}>
        <MarkdownPage html={docs.html} />
        <CopyCode page={name} />
      </DocsFrame>
    );
  const nonce = (await headers()).get(nonceHeader) ?? "";
  const { before, after } = splitAtCalls(docs.html);
  return (
    <DocsFrame menu={menu} current={current} headings={[]}>
      <script
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script
        dangerouslySetInnerHTML={{ __html: languageScript }}
      />
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <MarkdownPage html={before} />
        <CallIndex calls={calls} />
        <MarkdownPage html={after} />
      </div>
      <CallReference calls={calls} page={current} commands={commands} />
      <CopyCode page={name} />
    </DocsFrame>
  );
}
