/** Words that we don't use, and what to write instead. */
type WordRule = {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Paths in which the word is right. */
  readonly allowedIn?: RegExp;
};

type FoundWord = { readonly line: number; readonly word: string; readonly instead: string };

/** Texts and field names of other companies. */
const foreign =
  /^lib\/core\/(?:providers\/(?!catalog|samples)|verify\/(?!batch|dedupe|diagnose|handshake|hook|recognize|secret))|^docs\/providers\.md$/;

/** Paths where an answer is right: DNS, questions between processes, and former field names. */
const asking =
  /^lib\/net\/|^lib\/core\/api\/doctor-mark|^server\/(?:supervise\/|http\/doctor)|^CHANGELOG\.md$/;

/** Words in prose and code alike, in any letter case. */
const words: readonly WordRule[] = [
  { pattern: /\banew\b/gi, instead: "again" },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: "fix" },
  { pattern: /\b(?:for )?so long\b/gi, instead: "as long as, while, or the time" },
  {
    pattern:
      /(?<=[a-z,] )(?:no|any|some|every)body\b(?!\s*[=@/])|\b(?:no|any|some|every)body(?= [a-z])/gi,
    instead: "who it is: users, the owner, no one",
  },
  { pattern: /\bwho(?:so)?ever\b/gi, instead: "who it is: users, the owner, anyone who" },
  { pattern: /\bfits (?:none|no|nothing)\b/gi, instead: "doesn't match any" },
  { pattern: /\bin vain\b/gi, instead: "without success" },
  { pattern: /\bfor ever\b/gi, instead: "forever" },
  { pattern: /\bunder way\b/gi, instead: "in progress, in flight" },
  { pattern: /\bletter by letter|to the letter\b/gi, instead: "exactly" },
  { pattern: /\bspell(?:s|ed)? out\b/gi, instead: "describe, write out" },
  { pattern: /\bput right\b/gi, instead: "fix" },
  { pattern: /\bno other than\b/gi, instead: "the same as" },
  { pattern: /\btime-outs?\b/gi, instead: "timeout" },
  { pattern: /\be-mails?\b/gi, instead: "email" },
  {
    pattern: /\bgo(?:es)? on(?! as\b)(?= (?:by|with|at|in|until|for|and)\b|[.,;])/gi,
    instead: "continue",
  },
  { pattern: /\bsays? no\b(?! (?:more|one))/gi, instead: "reject" },
  { pattern: /\bby hand\b/gi, instead: "manually" },
  { pattern: /\barrived secrets?\b/gi, instead: "handshake secret" },
  { pattern: /\bstrangers?\b/gi, instead: "another account, an unauthenticated client" },
  { pattern: /(?<=[a-z])’(?=(?:s|t|re|ve|ll|d|m)\b)/gi, instead: "a straight apostrophe" },
  { pattern: /(?<!there )\bis no (?:text|json|list|number|string|form)\b/gi, instead: "isn't …" },
];

/** Our former names for things, also inside identifiers. */
const names: readonly WordRule[] = [
  {
    // "sender" alone is the half of the product that sends events.
    pattern: /\b(?:(?!sender\b)\w+[sS]ender|\w*[sS]enders)\b/g,
    instead: "provider",
    allowedIn: foreign,
  },
  { pattern: /\bshake\w* ?[hH]ands?\b/g, instead: "respondToHandshake" },
  { pattern: /\b(?:lane|lanes|lane[A-Z_]\w*|\w+Lanes?)\b/g, instead: "actionQueue, groupKey" },
  { pattern: /\breap(?:s|ed|er|ing|[A-Z]\w*)?\b/g, instead: "rescue" },
  { pattern: /\bparked\b/gi, instead: "quarantined" },
  { pattern: /\bentrance\b/gi, instead: "auth" },
  { pattern: /\b(?:begun|isBegun)\b/gi, instead: "started" },
  { pattern: /\b(?:[jJ]udged?|judge[A-Z]\w*)\b/g, instead: "diagnosis, evaluate" },
  { pattern: /\b(?:most|longest|largest)[A-Z]\w*/g, instead: "max…" },
  { pattern: /\b\w*Refusals?\b|\b\w+Refused\b|\brefuse[A-Z]\w*/g, instead: "Rejection, rejected" },
  { pattern: /\bholdBack\w*|\bwithh(?:old|eld)\w*/gi, instead: "findHold" },
  { pattern: /\btell[A-Z]\w*/g, instead: "notify…" },
  { pattern: /\bnote(?:If|Missing|Failed|Failure|Asked)\w*/g, instead: "record…" },
  { pattern: /\bconclude\w*/gi, instead: "toOutcome, toDiagnosis" },
  { pattern: /\b\w+Ground\b|\bground(?:Of|For)[A-Z]\w*/g, instead: "…Context" },
  { pattern: /\barrivedSecrets?\b/g, instead: "handshakeSecret" },
  {
    pattern: /\b(?:const|let|function) settle\b|#settle\b/g,
    instead: "endRun, toOutcome, waitUntil…",
  },
  { pattern: /\b(?:placesOf|writeByPlace|take\w*Place)\b/g, instead: "rowIdsOf, …Slot" },
  // The verb is right: a receiver answers. Only DNS, and processes that ask each other, have answers.
  {
    pattern: /\banswer(?:s|ed)?[A-Z]\w*|\b\w+Answer\w*/g,
    instead: "reply, response",
    allowedIn: asking,
  },
  {
    pattern: /\b(?:const|let|readonly) answers?\b|`answers?`/g,
    instead: "reply, response",
    allowedIn: asking,
  },
];

/** Names that other tools define. */
const notOurs =
  /It was cancelled manually|Secret to Everybody|runs_lane_idx|"x-sender"|`data\.object\["e-mail"\]` → `e-mail`/gi;

/** The places with words that people type into a search, and names of fields in payloads. */
const typed =
  /^components\/palette\/|^lib\/core\/(?:mapping\/mapping-example|providers|verify)\/|^docs\/providers\.md$/;

/** British spellings. The state `cancelled` is stored and part of the API, so it keeps its spelling. */
const british: readonly WordRule[] = [
  [
    /(?:[Rr]ecogni|[Ss]ummari|[Oo]rgani|[Aa]uthori|[Ii]nitiali|[Nn]ormali|[Ss]eriali)s(?:e[ds]?|ing|ation)(?![a-z])/g,
    "…ize",
  ],
  [/(?:colou|behaviou|favou|neighbou)r/gi, "color, behavior, favor, neighbor"],
  [/\blabelled\b/gi, "labeled"],
  [/(?<=[a-z] )(?<!\b(?:return|as) )cancelled(?=[ .,;!?)"]|$)(?! [=}])/gi, "canceled"],
  [/catalogue/gi, "catalog"],
].map(([pattern, instead]) => ({ pattern, instead, allowedIn: typed }) as WordRule);

/** Every unwanted word of a file, with what to write instead. `path` is relative to the root. */
export function findWords(path: string, text: string): readonly FoundWord[] {
  const rules = [...words, ...names, ...british].filter(
    ({ allowedIn }) => allowedIn?.test(path) !== true,
  );
  return text.split("\n").flatMap((line, index) => {
    const own = line.replaceAll(notOurs, "");
    return rules.flatMap(({ pattern, instead }) =>
      [...own.matchAll(pattern)].map(([word]) => ({ line: index + 1, word, instead })),
    );
  });
}
